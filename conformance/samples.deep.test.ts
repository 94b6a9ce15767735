import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { postPayload } from '../packages/jwt-payload/src/index.ts'
import { keysAndReceiver } from './support/keygen-receiver.ts'

const runProgram = promisify(execFile)

const docs = new URL('../docs/', import.meta.url)
const sampleOf = (path: string) => readFileSync(new URL(path, docs), 'utf8')

/** Whether programs and libraries of a language are there. In CI they must be, but on Windows. */
const canRun = (...paths: readonly string[]) =>
  process.platform !== 'win32' && (Boolean(process.env.CI) || paths.every(existsSync))

/** A sample reads `keys/private.pem` in the folder that it runs in. */
async function keysOfSamples() {
  const service = await keysAndReceiver({ out: 'keys' })
  const cwd = service.path
  return {
    ...service,
    /** Runs a program to its end, and returns its output. */
    run: async (program: string, ...args: readonly string[]) =>
      (await runProgram(program, args, { cwd, timeout: 60_000 })).stdout.trim(),
    /** Writes a sample with the address and the kid of this service. */
    write: (name: string, sample: string) =>
      writeFile(
        service.file(name),
        sample
          .replaceAll('https://sso.example/partner/payload', service.url)
          .replaceAll('<kid>', service.keyId),
      ),
  }
}

const ourAddress = /^http:\/\/127\.0\.0\.1:\d+\/partner\/payload\/open\/\S+$/

test.skipIf(!canRun('/usr/bin/openssl'))('the shell’s sample signs with the key of keygen', async () => {
  await using keys = await keysOfSamples()
  const [, use = ''] = /^```sh\n(token=.*?)^```$/ms.exec(sampleOf('reference/partner-link.md')) ?? []
  await keys.write('sign.sh', sampleOf('examples/sign/sign.sh'))
  await keys.write('use.sh', `${use.split('\nprintf')[0]}\nprintf '%s' "$token"`)
  const { url } = await postPayload(keys.url, await keys.run('sh', 'use.sh'))
  expect(url).toMatch(ourAddress)
})

test.skipIf(!canRun('/usr/bin/python3', '/usr/lib/python3/dist-packages/jwt/__init__.py'))(
  'the sample in Python signs with the key of keygen',
  async () => {
    await using keys = await keysOfSamples()
    await keys.write('sign.py', sampleOf('examples/sign/sign.py'))
    const { url } = await postPayload(keys.url, await keys.run('/usr/bin/python3', 'sign.py'))
    expect(url).toMatch(ourAddress)
  },
)

/** Does what a sample for Mono cannot: Mono has no `ImportFromPem`. */
const program = `
using System;
using System.IO;
using Mono.Security.Cryptography;

static class Program
{
    static void Main()
    {
        var lines = Array.FindAll(File.ReadAllLines("keys/private.pem"), line => !line.StartsWith("-----"));
        var der = new PKCS8.PrivateKeyInfo(Convert.FromBase64String(string.Concat(lines))).PrivateKey;
        var link = new PartnerLink(PKCS8.PrivateKeyInfo.DecodeRSA(der), "<kid>", "https://sso.example/partner/payload");
        var contact = new Contact { id = "4711", firstname = "Åse", lastname = "Nordmann" };
        var payload = new Payload { organizationId = "clinic-12", employeeId = "emp-7", contact = contact };
        var token = link.Sign(payload);
        Console.WriteLine(link.PostAsync(token).Result);
        try { link.PostAsync(token).Wait(); }
        catch (AggregateException refusal) { Console.WriteLine(refusal.InnerException.Message); }
    }
}
`

test.skipIf(!canRun('/usr/bin/mcs', '/usr/lib/mono/4.5/System.Net.Http.dll'))(
  'the sample in C# signs with the key of keygen, posts, and tells a refusal',
  async () => {
    await using keys = await keysOfSamples()
    const sample = readFileSync(new URL('csharp/PartnerLink.cs', import.meta.url), 'utf8')
    await keys.write('PartnerLink.cs', sample)
    await keys.write('Program.cs', program)
    const libraries = ['System.Net.Http', 'System.Runtime.Serialization', 'Mono.Security']
    const checks = ['-langversion:5', '-warn:4', '-warnaserror']
    await keys.run(
      'mcs',
      ...checks,
      ...libraries.map(name => `-r:${name}.dll`),
      'PartnerLink.cs',
      'Program.cs',
    )
    const [address = '', refusal = ''] = (await keys.run('mono', 'PartnerLink.exe')).split('\n')
    expect(address).toMatch(ourAddress)
    expect(refusal).toBe(
      'ERR_PAYLOAD_REPLAYED: This payload was used before. Sign a new one, with a jti of its own, for each post.',
    )
  },
)
