import type { Launch } from '../launch.ts'
import type { SignedLaunch } from './launch-state.ts'

interface CopyFacts extends Pick<SignedLaunch, 'token' | 'keyId' | 'issuer'> {
  readonly launch: Launch
}

const shell = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** The post as a command: this very token, whatever is wrong with it. */
const curl = ({ launch, token }: CopyFacts) =>
  `curl -sS -H 'Accept: application/json' --data-urlencode ${shell(`payload=${token}`)} ${shell(launch.address)}`

const algorithmOf = ({ algorithm }: Launch) => (algorithm === 'none' ? 'ES256' : algorithm)

const isSecret = (launch: Launch) => algorithmOf(launch).startsWith('HS')

/** The four programs sign the launch's claims anew, with a key of a file and a right clock. */
const typescript = ({ launch, keyId, issuer }: CopyFacts) => `import { readFileSync } from 'node:fs'
import { importSigningKey, postPayload, signPayload } from '@service-link/jwt-payload'

const address = ${JSON.stringify(launch.address)}
const key = await importSigningKey({
  ${isSecret(launch) ? "kind: 'secret', secret: readFileSync('secret.txt', 'utf8').trim()" : "kind: 'pkcs8', pem: readFileSync('private.pem', 'utf8')"},
  algorithm: '${algorithmOf(launch)}',${keyId === undefined ? '' : `\n  kid: ${JSON.stringify(keyId)},`}
})
const claims = ${JSON.stringify(launch.claims, undefined, 2)}
const token = await signPayload(claims, key, { audience: address${issuer === undefined ? '' : `, issuer: ${JSON.stringify(issuer)}`} })
const { url } = await postPayload(address, token)
console.log(url)
`

const python = ({
  launch,
  keyId,
  issuer,
}: CopyFacts) => `import base64, json, time, urllib.error, urllib.parse, urllib.request, uuid
import jwt  # PyJWT, with cryptography

address = ${JSON.stringify(launch.address)}
key = ${isSecret(launch) ? 'base64.urlsafe_b64decode(open("secret.txt").read().strip() + "==")' : 'open("private.pem").read()'}
now = int(time.time())
claims = json.loads(${JSON.stringify(JSON.stringify(launch.claims))})
claims.update(aud=address, iat=now, exp=now + 60, jti=str(uuid.uuid4())${issuer === undefined ? '' : `, iss=${JSON.stringify(issuer)}`})
token = jwt.encode(claims, key, algorithm="${algorithmOf(launch)}"${keyId === undefined ? '' : `, headers={"kid": ${JSON.stringify(keyId)}}`})
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

const verbatim = (text: string) => `@"${text.replaceAll('"', '""')}"`

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
        var address = ${verbatim(launch.address)};
        var now = DateTimeOffset.UtcNow.ToUnixTimeSeconds();
        var header = ${verbatim(JSON.stringify({ alg: algorithm, typ: 'JWT', kid: keyId }))};
        var claims = ${verbatim(own)}
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

/** Programs that make this post. */
export function copiesOf(facts: CopyFacts) {
  const note = 'Signs these claims with your key, in private.pem or secret.txt, at the right time, and posts.'
  return {
    curl: { text: curl(facts), note: 'Posts this very token, within the minute that it lives.' },
    TypeScript: { text: typescript(facts), note },
    'C#': { text: csharp(facts), note },
    Python: { text: python(facts), note },
  }
}
