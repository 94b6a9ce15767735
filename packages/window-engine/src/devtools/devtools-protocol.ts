import { z } from 'zod'

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
  openerId: z.string().optional(),
})

const windowBounds = z.object({
  left: z.number().optional(),
  top: z.number().optional(),
  width: z.number().optional(),
  height: z.number().optional(),
  windowState: z.string().optional(),
})

const frame = z.object({
  id: z.string(),
  loaderId: z.string(),
  parentId: z.string().optional(),
  url: z.string(),
  unreachableUrl: z.string().optional(),
})

const evaluation = z.object({
  result: z.object({ type: z.string(), value: z.json().optional() }),
  exceptionDetails: z.object({}).optional(),
})

/** Cookies are handed back as they came. */
const cookie = z.looseObject({ name: z.string(), value: z.string(), domain: z.string() })

/** Calls to the browser: name → reply. */
export const devToolsCalls = {
  'Browser.close': nothing,
  'Browser.getVersion': z.object({ product: z.string(), userAgent: z.string() }),
  'Browser.getWindowForTarget': z.object({ windowId: z.int(), bounds: windowBounds }),
  'Browser.setWindowBounds': nothing,
  'Emulation.getScreenInfos': z.object({ screenInfos: z.array(screen) }),
  'Emulation.setUserAgentOverride': nothing,
  'Fetch.continueRequest': nothing,
  'Fetch.disable': nothing,
  'Fetch.enable': nothing,
  'Fetch.failRequest': nothing,
  'Network.clearBrowserCache': nothing,
  'Network.disable': nothing,
  'Network.enable': nothing,
  'Network.setBypassServiceWorker': nothing,
  'Network.setUserAgentOverride': nothing,
  'Page.addScriptToEvaluateOnNewDocument': z.object({ identifier: z.string() }),
  'Page.bringToFront': nothing,
  'Page.crash': nothing,
  'Page.enable': nothing,
  'Page.getLayoutMetrics': z.object({ visualViewport: z.object({ zoom: z.number().optional() }) }),
  'Page.handleJavaScriptDialog': nothing,
  'Page.navigate': z.object({
    errorText: z.string().optional(),
    loaderId: z.string().optional(),
    isDownload: z.boolean().optional(),
  }),
  'Page.reload': nothing,
  'Page.resetNavigationHistory': nothing,
  'Page.setPrerenderingAllowed': nothing,
  'Page.stopLoading': nothing,
  'Runtime.addBinding': nothing,
  'Runtime.callFunctionOn': evaluation,
  'Runtime.enable': nothing,
  'Runtime.evaluate': evaluation,
  'Runtime.runIfWaitingForDebugger': nothing,
  'Storage.clearCookies': nothing,
  'Storage.clearDataForOrigin': nothing,
  'Storage.getCookies': z.object({ cookies: z.array(cookie) }),
  'Storage.setCookies': nothing,
  'SystemInfo.getProcessInfo': z.object({
    processInfo: z.array(z.object({ type: z.string(), id: z.int().positive() })),
  }),
  'Target.attachToTarget': z.object({ sessionId: z.string() }),
  'Target.closeTarget': nothing,
  'Target.createTarget': z.object({ targetId: z.string() }),
  'Target.setAutoAttach': nothing,
  'Target.setDiscoverTargets': nothing,
} as const satisfies Record<string, z.ZodType>

/** Events of the browser: name → facts. */
const devToolsEvents = {
  'Fetch.requestPaused': z.object({
    requestId: z.string(),
    frameId: z.string(),
    /** Of the request that was sent here by its server's answer. */
    redirectedRequestId: z.string().optional(),
    /** Present with the server's answer. */
    responseStatusCode: z.int().optional(),
    responseErrorReason: z.string().optional(),
    request: z.object({
      url: z.string(),
      method: z.string(),
      headers: z.record(z.string(), z.string()),
    }),
  }),
  'Inspector.targetCrashed': nothing,
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
      auxData: z.object({ isDefault: z.boolean(), frameId: z.string().optional() }),
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
} as const satisfies Record<string, z.ZodType>

/** Name of a call that is used. */
export type DevToolsCallName = keyof typeof devToolsCalls

/** Reply to a call. */
export type DevToolsReply<Name extends DevToolsCallName> = z.output<(typeof devToolsCalls)[Name]>

/** Name of an event that is used. */
type DevToolsEventName = keyof typeof devToolsEvents

/** One event with its facts and the session, that is the target, which it comes from. */
export type DevToolsEvent = {
  [Name in DevToolsEventName]: {
    readonly name: Name
    readonly facts: z.output<(typeof devToolsEvents)[Name]>
    readonly sessionId: string | undefined
  }
}[DevToolsEventName]

/** A message of the browser: the answer to a call, or an event. */
export const devToolsMessageSchema = z.union([
  z.object({
    id: z.int(),
    result: z.unknown().optional(),
    error: z.object({ code: z.int(), message: z.string() }).optional(),
  }),
  z.object({ method: z.string(), params: z.unknown().optional(), sessionId: z.string().optional() }),
])

/** Reads an event; `undefined` for one that is not used, or is not shaped as known. */
export function readDevToolsEvent(
  method: string,
  params: unknown,
  sessionId?: string,
): DevToolsEvent | undefined {
  if (!isEventName(method)) return undefined
  const parsed = devToolsEvents[method].safeParse(params)
  return parsed.success ? ({ name: method, facts: parsed.data, sessionId } as DevToolsEvent) : undefined
}

function isEventName(method: string): method is DevToolsEventName {
  return Object.hasOwn(devToolsEvents, method)
}
