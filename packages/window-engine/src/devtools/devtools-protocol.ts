import * as z from 'zod/mini'

// The part of the DevTools protocol that is used. All other messages and members are ignored.

const nothing = z.object({})

const screen = z.object({
  availLeft: z.number(),
  availTop: z.number(),
  availWidth: z.number(),
  availHeight: z.number(),
})

const targetInfo = z.object({
  targetId: z.string(),
  type: z.string(),
  url: z.string(),
  openerId: z.optional(z.string()),
})

const windowBounds = z.object({
  left: z.optional(z.number()),
  top: z.optional(z.number()),
  width: z.optional(z.number()),
  height: z.optional(z.number()),
  windowState: z.optional(z.string()),
})

const frame = z.object({
  id: z.string(),
  loaderId: z.string(),
  parentId: z.optional(z.string()),
  url: z.string(),
  unreachableUrl: z.optional(z.string()),
})

const evaluation = z.object({
  result: z.object({ type: z.string(), value: z.optional(z.json()) }),
  exceptionDetails: z.optional(z.object({})),
})

/** Calls to the browser whose reply is read: name → reply. */
const replies = {
  'Browser.getVersion': z.object({ product: z.string(), userAgent: z.string() }),
  'Browser.getWindowForTarget': z.object({ windowId: z.int(), bounds: windowBounds }),
  'Emulation.getScreenInfos': z.object({ screenInfos: z.array(screen) }),
  'Fetch.takeResponseBodyAsStream': z.object({ stream: z.string() }),
  'IO.read': z.object({ data: z.string(), base64Encoded: z.optional(z.boolean()), eof: z.boolean() }),
  'Page.getLayoutMetrics': z.object({ visualViewport: z.object({ zoom: z.optional(z.number()) }) }),
  'Page.navigate': z.object({
    errorText: z.optional(z.string()),
    loaderId: z.optional(z.string()),
    isDownload: z.optional(z.boolean()),
  }),
  'Runtime.callFunctionOn': evaluation,
  'Runtime.evaluate': evaluation,
  'Storage.getCookies': z.object({ cookies: z.unknown() }),
  'SystemInfo.getProcessInfo': z.object({
    processInfo: z.array(z.object({ type: z.string(), id: z.int().check(z.positive()) })),
  }),
  'Target.attachToTarget': z.object({ sessionId: z.string() }),
  'Target.createTarget': z.object({ targetId: z.string() }),
} as const satisfies Record<string, z.ZodMiniType>

/** Calls to the browser whose reply is not read. */
type UnreadCall =
  | `Browser.${'close' | 'setWindowBounds'}`
  | 'Emulation.setUserAgentOverride'
  | `Fetch.${'continueRequest' | 'disable' | 'enable' | 'failRequest' | 'fulfillRequest'}`
  | `Network.${'disable' | 'enable' | 'setBypassServiceWorker' | 'setUserAgentOverride'}`
  | `Page.${'addScriptToEvaluateOnNewDocument' | 'setPrerenderingAllowed' | 'resetNavigationHistory'}`
  | `Page.${'bringToFront' | 'crash' | 'enable' | 'handleJavaScriptDialog' | 'reload' | 'stopLoading'}`
  | `Runtime.${'addBinding' | 'enable' | 'runIfWaitingForDebugger'}`
  | 'Storage.setCookies'
  | `Target.${'closeTarget' | 'setAutoAttach' | 'setDiscoverTargets'}`

/** Events of the browser: name → facts. */
const devToolsEvents = {
  'Fetch.requestPaused': z.object({
    requestId: z.string(),
    frameId: z.string(),
    /** Of the request that was sent here by its server's answer. */
    redirectedRequestId: z.optional(z.string()),
    /** Present with the server's answer. */
    responseStatusCode: z.optional(z.int()),
    responseHeaders: z.optional(z.array(z.object({ name: z.string(), value: z.string() }))),
    responseErrorReason: z.optional(z.string()),
    request: z.object({ url: z.string(), method: z.string(), headers: z.record(z.string(), z.string()) }),
  }),
  'Inspector.targetCrashed': nothing,
  'Network.loadingFailed': z.object({ errorText: z.string() }),
  'Page.domContentEventFired': nothing,
  'Page.frameNavigated': z.object({ frame }),
  'Page.frameRequestedNavigation': z.object({
    frameId: z.string(),
    url: z.string(),
    reason: z.string(),
    disposition: z.string(),
  }),
  'Page.frameStartedNavigating': z.object({
    frameId: z.string(),
    url: z.string(),
    loaderId: z.string(),
    navigationType: z.string(),
  }),
  'Page.frameStoppedLoading': z.object({ frameId: z.string() }),
  'Page.javascriptDialogClosed': z.object({ result: z.boolean() }),
  'Page.javascriptDialogOpening': z.object({ type: z.string(), hasBrowserHandler: z.boolean() }),
  'Page.loadEventFired': nothing,
  'Runtime.bindingCalled': z.object({
    name: z.string(),
    payload: z.string(),
    executionContextId: z.int(),
  }),
  'Runtime.executionContextCreated': z.object({
    context: z.object({
      id: z.int(),
      uniqueId: z.string(),
      name: z.string(),
      origin: z.string(),
      auxData: z.object({ isDefault: z.boolean(), frameId: z.optional(z.string()) }),
    }),
  }),
  'Runtime.executionContextDestroyed': z.object({ executionContextId: z.int() }),
  'Runtime.executionContextsCleared': nothing,
  'Target.attachedToTarget': z.object({
    sessionId: z.string(),
    targetInfo,
    waitingForDebugger: z.boolean(),
  }),
  'Target.detachedFromTarget': z.object({ sessionId: z.string() }),
  'Target.targetCreated': z.object({ targetInfo }),
  'Target.targetInfoChanged': z.object({ targetInfo }),
} as const satisfies Record<string, z.ZodMiniType>

/** Name of a call that is used. */
export type DevToolsCallName = keyof typeof replies | UnreadCall

/** Reply to a call. */
export type DevToolsReply<Name extends DevToolsCallName> = Name extends keyof typeof replies
  ? z.output<(typeof replies)[Name]>
  : unknown

/** Schemas of the replies that are read, by call. */
export const devToolsReplies: Readonly<Partial<Record<DevToolsCallName, z.ZodMiniType>>> = replies

/** Name of an event that is used. */
type DevToolsEventName = keyof typeof devToolsEvents

/** One event with its facts and the session, that is the target, which it comes from. */
export type DevToolsEvent = {
  [Name in DevToolsEventName]: {
    readonly name: Name
    readonly facts: DevToolsFacts<Name>
    readonly sessionId: string | undefined
  }
}[DevToolsEventName]

/** The facts of an event. */
export type DevToolsFacts<Name extends DevToolsEventName> = z.output<(typeof devToolsEvents)[Name]>

/** A message of the browser: the answer to a call, or an event. */
export const devToolsMessageSchema = z.union([
  z.object({
    id: z.int(),
    result: z.optional(z.unknown()),
    error: z.optional(z.object({ code: z.int(), message: z.string() })),
  }),
  z.object({ method: z.string(), params: z.optional(z.unknown()), sessionId: z.optional(z.string()) }),
])

/** Reads an event; `undefined` for one that is not used, or is not shaped as known. */
export function readDevToolsEvent(
  name: string,
  params: unknown,
  sessionId?: string,
): DevToolsEvent | undefined {
  if (!Object.hasOwn(devToolsEvents, name)) return undefined
  const { success, data: facts } = devToolsEvents[name as DevToolsEventName].safeParse(params)
  return success ? ({ name, facts, sessionId } as DevToolsEvent) : undefined
}
