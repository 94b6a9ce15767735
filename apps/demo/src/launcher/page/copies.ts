import { quotePosixShell } from '@service-link/cli-args'
import { payloadAlgorithms } from '@service-link/jwt-payload'
import type { Copyable } from '@service-link/ui'
import { jsonLiteral, pythonLiteral } from '@service-link/ui/quote'
import { audienceOf, type Launch } from '../launch.ts'
import type { SignedLaunch } from './launch-state.ts'
import { t } from './texts.ts'

interface CopyFacts extends Pick<SignedLaunch, 'token' | 'keyId' | 'issuer'> {
  readonly launch: Launch
}

/** The post as a command: this very token, whatever is wrong with it. It travels by a pipe, because other users can read arguments. */
function curl({ launch, token }: CopyFacts): Copyable {
  const address = URL.parse(launch.address)
  if (!address || !/^https?:$/.test(address.protocol)) return { problem: t('code.noAddress') }
  // Escaped as a browser does: each reader of the line gets the same letters.
  const url = quotePosixShell([address.href])
  const text = `printf %s ${quotePosixShell([token])} | curl -sS -g -H 'Accept: application/json' --data-urlencode payload@- --url ${url}`
  return { text, note: curlNote(launch) }
}

function curlNote(launch: Launch): string {
  const audience = audienceOf(launch) ?? t('code.missing')
  return audience === launch.address
    ? t('code.curl')
    : `${t('code.curl')} ${t('code.otherAudience', { audience })}`
}

/** The address has no character that cmd.exe reads, if somebody takes the wrong shell. `--data` drops the line break of the pipe. */
function curlOnWindows({ launch, token }: CopyFacts): Copyable {
  if (!/^https?:\/\/[\w.:[\]~/?=-]+$/.test(launch.address)) return { problem: t('code.windows') }
  const text = `'payload=${token}' | curl.exe -sS -g -H "Accept: application/json" --data "@-" --url "${launch.address}"`
  return { text, note: `${t('code.powershell')} ${curlNote(launch)}` }
}

const algorithmOf = ({ algorithm }: Launch) => payloadAlgorithms.find(name => name === algorithm) ?? 'ES256'

const isSecret = (launch: Launch) => algorithmOf(launch).startsWith('HS')

/** Written plainly, a member of this name would change the object's prototype. */
const objectLiteral = (value: object) =>
  jsonLiteral(value, 2).replace(/(?<=^ *)"__proto__":/gm, '["__proto__"]:')

/** The programs sign the launch's claims anew, with a key of a file and a right clock. */
const typescript = ({ launch, keyId, issuer }: CopyFacts) => `import { readFileSync } from 'node:fs'
import { importSigningKey, postPayload, signPayload } from '@service-link/jwt-payload'

const address = ${jsonLiteral(launch.address)}
const key = await importSigningKey({
  ${isSecret(launch) ? "kind: 'secret', secret: readFileSync('secret.txt', 'utf8').trim()" : "kind: 'pkcs8', pem: readFileSync('private.pem', 'utf8')"},
  algorithm: ${jsonLiteral(algorithmOf(launch))},${keyId === undefined ? '' : `\n  kid: ${jsonLiteral(keyId)},`}
})
const claims = ${objectLiteral(launch.claims)}
const token = await signPayload(claims, key, { audience: address${issuer === undefined ? '' : `, issuer: ${jsonLiteral(issuer)}`} })
const { url } = await postPayload(address, token)
console.log(url)
`

const python = ({
  launch,
  keyId,
  issuer,
}: CopyFacts) => `import base64, json, time, urllib.error, urllib.parse, urllib.request, uuid
import jwt  # PyJWT, with cryptography

address = ${pythonLiteral(launch.address)}
key = ${isSecret(launch) ? 'base64.urlsafe_b64decode(open("secret.txt").read().strip() + "==")' : 'open("private.pem").read()'}
now = int(time.time())
claims = json.loads(${pythonLiteral(JSON.stringify(launch.claims))})
claims.update(aud=address, iat=now, exp=now + 60, jti=str(uuid.uuid4())${issuer === undefined ? '' : `, iss=${pythonLiteral(issuer)}`})
token = jwt.encode(claims, key, algorithm=${pythonLiteral(algorithmOf(launch))}${keyId === undefined ? '' : `, headers={"kid": ${pythonLiteral(keyId)}}`})
form = urllib.parse.urlencode({"payload": token}).encode()
request = urllib.request.Request(address, form, {"Accept": "application/json"})
try:
    print(json.load(urllib.request.urlopen(request))["url"])
except urllib.error.HTTPError as refusal:
    print(refusal.read().decode())
`

/** How .NET signs with each family of algorithms. */
const csharpSignature = (family: string, bits: string): string | undefined => {
  if (family === 'HS')
    return `var signature = new HMACSHA${bits}(Decode(File.ReadAllText("secret.txt").Trim())).ComputeHash(bytes);`
  const padding = { RS: ', RSASignaturePadding.Pkcs1', PS: ', RSASignaturePadding.Pss', ES: '' }[family]
  if (padding === undefined) return undefined
  return `var key = ${family === 'ES' ? 'ECDsa' : 'RSA'}.Create();
        key.ImportFromPem(File.ReadAllText("private.pem"));
        var signature = key.SignData(bytes, HashAlgorithmName.SHA${bits}${padding});`
}

const csharp = ({ launch, keyId, issuer }: CopyFacts) => {
  const algorithm = algorithmOf(launch)
  const sign = csharpSignature(algorithm.slice(0, 2), algorithm.slice(2))
  if (!sign) return '// .NET has no Ed25519. Choose ES256, or sign with a library such as NSec.\n'
  const own = JSON.stringify({ ...launch.claims, aud: launch.address, iss: issuer }).slice(0, -1)
  return `using System;
using System.Collections.Generic;
using System.IO;
using System.Net.Http;
using System.Security.Cryptography;
using System.Text;

static class Program
{
    static void Main()
    {
        var address = ${jsonLiteral(launch.address)};
        var now = DateTimeOffset.UtcNow.ToUnixTimeSeconds();
        var header = ${jsonLiteral(JSON.stringify({ alg: algorithm, typ: 'JWT', kid: keyId }))};
        var claims = ${jsonLiteral(own)}
            + ",\\"iat\\":" + now + ",\\"exp\\":" + (now + 60) + ",\\"jti\\":\\"" + Guid.NewGuid() + "\\"}";
        var input = Encode(Encoding.UTF8.GetBytes(header)) + "." + Encode(Encoding.UTF8.GetBytes(claims));
        var bytes = Encoding.ASCII.GetBytes(input);
        ${sign}
        var fields = new Dictionary<string, string> { { "payload", input + "." + Encode(signature) } };
        var request = new HttpRequestMessage(HttpMethod.Post, address) { Content = new FormUrlEncodedContent(fields) };
        request.Headers.Accept.ParseAdd("application/json");
        var answer = new HttpClient().SendAsync(request).Result;
        Console.WriteLine(answer.Content.ReadAsStringAsync().Result);
    }

    static string Encode(byte[] bytes)
    { return Convert.ToBase64String(bytes).TrimEnd('=').Replace('+', '-').Replace('/', '_'); }

    static byte[] Decode(string text)
    { return Convert.FromBase64String(text.Replace('-', '+').Replace('_', '/') + new string('=', (4 - text.Length % 4) % 4)); }
}
`
}

/** Programs that make this post. Each value is quoted for its language: a link may have brought it. */
export function copiesOf(facts: CopyFacts): Readonly<Record<string, Copyable>> {
  const note = t('code.program')
  return {
    curl: curl(facts),
    'curl for Windows': curlOnWindows(facts),
    TypeScript: { text: typescript(facts), note },
    'C#': { text: csharp(facts), note },
    Python: { text: python(facts), note },
  }
}
