import { chmod, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { eventually } from './waits.ts'

/**
 * Writes a start script for the browser that also opens the developer-tools port. {@link watchWrapperPage} then reads the
 * wrapper's real page. The wrapper itself opens no port.
 */
export async function makeObservable(
  executable: string,
  folder: string,
  flags: readonly string[] = [],
): Promise<string> {
  // The engine knows a browser without windows by its name.
  const script = join(folder, `observable-${basename(executable)}`)
  await writeFile(
    script,
    `#!/bin/sh\nexec '${executable}' ${['--remote-debugging-port=0', ...flags].join(' ')} "$@"\n`,
  )
  await chmod(script, 0o700)
  return script
}

/** A node of the document with its descendants. Closed shadow trees belong to them. */
interface PageNode {
  readonly backendNodeId: number
  readonly nodeName: string
  readonly nodeValue: string
  readonly children?: readonly PageNode[]
  readonly shadowRoots?: readonly PageNode[]
}

export type WrapperPage = ReturnType<typeof watchWrapperPage>

/** The page of the browser whose profile is in this folder, over its developer-tools port. All settings stay those of the wrapper. */
export function watchWrapperPage(profileFolder: string) {
  let browser: Browser | undefined
  let present: Page | undefined
  const connect = async () => {
    const port = await readPort(profileFolder)
    if (port === undefined) return undefined
    browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`, { noDefaults: true })
    present = browser.contexts()[0]?.pages()[0]
    // The next connection gets the page that the wrapper starts anew.
    present?.once('crash', () => void leave())
    return present
  }
  /** Ends the connection, until the page is wanted again. */
  const leave = async () => browser?.close()
  /** The page, also that of the next browser if one has ended. */
  const page = (): Promise<Page> =>
    eventually('The page', () => {
      if (browser?.isConnected() && present && !present.isClosed()) return present
      // The former browser's port may still be there.
      return connect().catch(() => undefined)
    })
  return {
    page,
    async waitForEnd(): Promise<void> {
      await eventually('The end of the browser', () => !browser?.isConnected())
    },
    /** All text of the page and of the wrapper's closed shadow tree above it. */
    async allText(): Promise<string> {
      const { nodes } = await readNodes(await page())
      return nodes.map(({ nodeValue }) => nodeValue).join(' ')
    },
    /** Clicks the button with this label in the wrapper's shadow tree. */
    async clickButton(label: string): Promise<void> {
      const shown = await page()
      const [left = 0, top = 0, , , right = 0, bottom = 0] = await eventually(
        `A button “${label}”`,
        async () => {
          const { nodes, session } = await readNodes(shown)
          const button = nodes.find(
            ({ nodeName, children = [] }) =>
              nodeName === 'BUTTON' && children.some(({ nodeValue }) => nodeValue === label),
          )
          if (!button) return undefined
          const { model } = await session.send('DOM.getBoxModel', { backendNodeId: button.backendNodeId })
          return model.content
        },
      )
      await shown.mouse.click((left + right) / 2, (top + bottom) / 2)
    },
    leave,
    [Symbol.asyncDispose]: leave,
  }
}

async function readNodes(page: Page) {
  const session = await page.context().newCDPSession(page)
  const { root } = await session.send('DOM.getDocument', { depth: -1, pierce: true })
  return { nodes: allNodes(root), session }
}

function allNodes(node: PageNode): readonly PageNode[] {
  return [node, ...[...(node.shadowRoots ?? []), ...(node.children ?? [])].flatMap(allNodes)]
}

async function readPort(profileFolder: string): Promise<number | undefined> {
  const [profile = ''] = await readdir(profileFolder).catch(() => [])
  const text = await readFile(join(profileFolder, profile, 'DevToolsActivePort'), 'utf8').catch(() => '')
  return Number(text.split('\n')[0]) || undefined
}
