import { quotePosixShell } from '@service-link/cli-args'
import { type FormRequest, frameAsText, type Prepared, prepareRequest } from './prepare-request.ts'

/** Writes lines of the user's shell. */
export interface Shell {
  readonly quote: (text: string) => string
  readonly set: (environment: Readonly<Record<string, string>>) => string
}

/** Where the copied lines and programs lead. */
export interface CopyPlace {
  /** Folder of the clone, whose npm scripts run the programs. */
  readonly cloneFolder: string
  /** Variables that name the wrapper's folders. */
  readonly environment: Readonly<Record<string, string>>
  readonly shell: Shell
  /** Address of the running wrapper's pipe; absent while none runs. */
  readonly pipeAddress?: string | undefined
}

/** A text to copy, or why there is none. */
export type Copy = { readonly text: string } | { readonly problem: string }

/** A request in every form in which a partner's developer can use it. */
export function copyAs({ transport, ...request }: FormRequest, place: CopyPlace) {
  const mode = transport === 'classic' ? 'classic' : 'session'
  const line = prepareRequest({ ...request, transport: 'arguments' })
  const file = prepareRequest({ ...request, transport: 'xml' })
  const frame = prepareRequest({ ...request, transport: mode })
  return {
    commandLine: copyOf(line, prepared => prepared.kind === 'launch' && commandLine(prepared.argv, place)),
    xml: copyOf(file, prepared => prepared.kind === 'launch' && prepared.xml),
    frame: copyOf(frame, prepared => prepared.kind === 'frame' && frameAsText(prepared.body)),
    csharp: copyOf(frame, prepared => prepared.kind === 'frame' && csharpProgram(prepared.body, place)),
    python: copyOf(frame, prepared => prepared.kind === 'frame' && pythonProgram(prepared.body, place)),
  } satisfies Record<string, Copy>
}

export type Copies = ReturnType<typeof copyAs>

function copyOf(prepared: Prepared, write: (prepared: Prepared) => string | undefined | false): Copy {
  if (prepared.kind === 'problem') return { problem: prepared.problem }
  const text = write(prepared)
  return text ? { text } : { problem: 'No wrapper runs whose pipe a program could open.' }
}

function commandLine(argv: readonly string[], { cloneFolder, environment, shell }: CopyPlace): string {
  const words = argv.map(shell.quote).join(' ')
  return `${shell.set(environment)}\nnpm --prefix ${quotePosixShell([cloneFolder])} run --silent wrapper -- ${words}\n`
}

const note =
  'The wrapper that runs now. docs/guides/pipe-from-another-language.md shows how a program finds it.'

function pythonProgram(body: string, { pipeAddress }: CopyPlace): string | undefined {
  if (pipeAddress === undefined) return undefined
  const isWindows = pipeAddress.startsWith('\\\\')
  const open = isWindows
    ? `pipe = open(${asPython(pipeAddress)}, "r+b", buffering=0)`
    : `connection = socket.socket(socket.AF_UNIX)
connection.connect(${asPython(pipeAddress)})
pipe = connection.makefile("rwb", buffering=0)`
  return `import json
${isWindows ? '' : 'import socket\n'}import struct

request = ${asPython(JSON.parse(body))}

# ${note}
${open}
body = json.dumps(request).encode("utf-8")
pipe.write(struct.pack("<i", len(body)) + body)

header = pipe.read(4)
if header:
    (length,) = struct.unpack("<i", header)
    reply = b""
    while len(reply) < length:
        reply += pipe.read(length - len(reply))
    print(reply.decode("utf-8"))
`
}

function asPython(value: unknown, indent = ''): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return JSON.stringify(value)
  if (value === null) return 'None'
  const deeper = `${indent}    `
  const entries = Array.isArray(value)
    ? value.map(entry => asPython(entry, deeper))
    : Object.entries(value).map(([name, entry]) => `${JSON.stringify(name)}: ${asPython(entry, deeper)}`)
  const [first, last] = Array.isArray(value) ? '[]' : '{}'
  return entries.length === 0
    ? `${first}${last}`
    : `${first}\n${entries.map(entry => `${deeper}${entry},\n`).join('')}${indent}${last}`
}

function csharpProgram(body: string, { pipeAddress }: CopyPlace): string | undefined {
  if (pipeAddress === undefined) return undefined
  const verbatim = (text: string) => `@"${text.replaceAll('"', '""')}"`
  return `using System;
using System.IO;
using System.IO.Pipes;
using System.Linq;
using System.Text;

class Program
{
    static void Main()
    {
        string request = ${verbatim(body)};
        // ${note}
        using (var pipe = new NamedPipeClientStream(".", ${verbatim(pipeAddress.replace('\\\\.\\pipe\\', ''))}, PipeDirection.InOut))
        {
            pipe.Connect(5000);
            byte[] body = Encoding.UTF8.GetBytes(request);
            byte[] frame = BitConverter.GetBytes(body.Length).Concat(body).ToArray();
            pipe.Write(frame, 0, frame.Length);

            var reader = new BinaryReader(pipe);
            byte[] header = reader.ReadBytes(4);
            if (header.Length == 4)
                Console.WriteLine(Encoding.UTF8.GetString(reader.ReadBytes(BitConverter.ToInt32(header, 0))));
        }
    }
}
`
}
