import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasBrowser, launchBrowser } from '../internal/test-kit/src/browser.ts'
import { createHome } from '../internal/test-kit/src/desktop-home.ts'
import { claims, runHere, temporaryFolder } from '../internal/test-kit/src/service-payload.ts'
import { keysAndReceiver } from './support/keygen-receiver.ts'

const examples = fileURLToPath(new URL('.', import.meta.url))

interface Language {
  readonly name: string
  readonly compiler: string
  /** Calls the sample. Reads the token as the first line, and ends with its input. */
  readonly program: string
  readonly file: string
  readonly compile: readonly (readonly string[])[]
  readonly run: readonly string[]
}

const languages: readonly Language[] = [
  {
    name: 'C#',
    compiler: '/usr/bin/mcs',
    file: 'Program.cs',
    program: `static class Program
{
    static void Main(string[] args)
    {
        var ending = new System.Threading.CancellationTokenSource();
        var opening = ServicePage.OpenAsync(args[0], System.Console.ReadLine(), ending.Token);
        System.Console.ReadLine();
        ending.Cancel();
        opening.Wait();
    }
}`,
    compile: [
      [
        'mcs',
        '-langversion:5',
        '-warn:4',
        '-warnaserror',
        '-out:Program.exe',
        join(examples, 'csharp/ServicePage.cs'),
        'Program.cs',
      ],
    ],
    run: ['mono', 'Program.exe'],
  },
  {
    name: 'Python',
    compiler: '/usr/bin/python3',
    file: 'program.py',
    program: `import sys, threading
sys.path.insert(0, ${JSON.stringify(join(examples, 'python'))})
sys.dont_write_bytecode = True
import service_page
ending = threading.Event()
opening = threading.Thread(target=service_page.open_service, args=(sys.argv[1], sys.stdin.readline().strip(), ending))
opening.start()
sys.stdin.readline()
ending.set()
opening.join()
`,
    compile: [],
    run: ['/usr/bin/python3', 'program.py'],
  },
  {
    name: 'Java',
    compiler: '/usr/bin/javac',
    file: 'Program.java',
    // A desktop is needed for Desktop.browse.
    program: `import java.io.*;
class Program {
    public static void main(String[] args) throws Exception {
        var input = new BufferedReader(new InputStreamReader(System.in));
        var page = ServicePage.write(args[0], input.readLine());
        new ProcessBuilder("xdg-open", page.toUri().toString()).start();
        input.readLine();
        ServicePage.remove(page);
    }
}`,
    compile: [
      ['javac', '-Xlint:all', '-Werror', '-d', '.', join(examples, 'java/ServicePage.java'), 'Program.java'],
    ],
    run: ['java', '-cp', '.', 'Program'],
  },
]

const canRun = ({ compiler }: Language) => existsSync(compiler) || Boolean(process.env.CI)

describe.skipIf(process.platform !== 'linux' || !hasBrowser())('the sample of a private page', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser.close()
  })

  for (const language of languages)
    test.skipIf(!canRun(language))(
      `in ${language.name} opens the service without a secret in an argument`,
      async () => {
        await using service = await keysAndReceiver()
        await using home = await createHome()
        await using folder = await temporaryFolder()
        const [cwd, env] = [
          folder.path,
          {
            ...process.env,
            ...home.environment,
            BROWSER: 'xdg-open',
            JAVA_TOOL_OPTIONS: `-Duser.home=${home.home}`,
          },
        ]
        await writeFile(folder.file(language.file), language.program)
        for (const [program = '', ...args] of language.compile)
          execFileSync(program, args, { cwd, timeout: 120_000, stdio: 'pipe' })
        const key = ['--key', service.file('private.pem'), '--audience', service.url]
        const token = (await runHere(['sign', ...key], JSON.stringify(claims))).stdout.trim()
        const [program = '', ...args] = language.run
        using child = spawn(program, [...args, service.url], { cwd, env })
        const ended = once(child, 'exit')
        child.stdin.write(`${token}\n`)

        const [address = '', ...others] = (await home.opened()).trimEnd().split('\n')
        expect(others).toEqual([])
        const path = fileURLToPath(new URL(address, 'file:'))
        expect(dirname(dirname(path))).toBe(home.home)
        expect((await stat(dirname(path))).mode & 0o777).toBe(0o700)
        expect(path).not.toContain(token.slice(0, 20))
        expect(await readFile(path, 'utf8')).toContain(token)

        const page = await browser.newPage()
        const answered = page.waitForResponse(service.url, { timeout: 55_000 })
        await page.goto(`file://${path}`, { waitUntil: 'commit' })
        expect((await answered).status()).toBe(200)
        await page.close()

        child.stdin.end('\n')
        expect((await ended)[0]).toBe(0)
        expect(await home.pages()).toEqual([])
      },
    )
})
