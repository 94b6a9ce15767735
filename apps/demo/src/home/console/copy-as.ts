import type { Copyable } from '@service-link/ui'
import { jsonLiteral, pythonLiteral } from '@service-link/ui/quote'
import { type FormRequest, frameAsText, type Prepared, prepareRequest } from './prepare-request.ts'
import type { ShellLines } from './shell-lines.ts'

/** Where the copied lines and programs lead. */
export interface CopyPlace {
  /** Folder of the clone, whose npm scripts run the programs. */
  readonly cloneFolder: string
  /** Variables that name the wrapper's folders. */
  readonly environment: Readonly<Record<string, string>>
  readonly shell: ShellLines
  /** Address of the running wrapper's pipe; absent while none runs. */
  readonly pipeAddress?: string | undefined
}

/** A request in every form in which a partner's developer can use it. */
export function copyAs({ transport, ...request }: FormRequest, place: CopyPlace): Record<string, Copyable> {
  const mode = transport === 'classic' ? 'classic' : 'session'
  const line = prepareRequest({ ...request, transport: 'arguments' })
  const file = prepareRequest({ ...request, transport: 'xml' })
  const frame = prepareRequest({ ...request, transport: mode })
  return {
    'Command line': copyOf(line, made => made.kind === 'launch' && commandLine(made.argv, place)),
    XML: copyOf(file, made => made.kind === 'launch' && made.xml),
    'JSON frame': copyOf(frame, made => made.kind === 'frame' && frameAsText(made.body)),
    'C#': copyOf(frame, made => made.kind === 'frame' && csharpProgram(made.body, place)),
    Python: copyOf(frame, made => made.kind === 'frame' && pythonProgram(made.body, place)),
  }
}

function copyOf(prepared: Prepared, write: (prepared: Prepared) => string | undefined | false): Copyable {
  if (prepared.kind === 'problem') return { problem: prepared.problem }
  const text = write(prepared)
  return text ? { text } : { problem: 'No wrapper runs whose pipe a program could open.' }
}

function commandLine(argv: readonly string[], { cloneFolder, environment, shell }: CopyPlace): string {
  const words = argv.map(shell.quote).join(' ')
  return `${shell.set(environment)}\nnpm --prefix ${shell.quote(cloneFolder)} run --silent wrapper -- ${words}\n`
}

const note =
  'The wrapper that runs now. docs/guides/pipe-from-another-language.md shows how a program finds it.'

function pythonProgram(body: string, { pipeAddress }: CopyPlace): string | undefined {
  if (pipeAddress === undefined) return undefined
  const address = pythonLiteral(pipeAddress)
  const open = pipeAddress.startsWith('\\\\')
    ? `pipe = open(${address}, "r+b", buffering=0)`
    : `connection = socket.socket(socket.AF_UNIX)
connection.connect(${address})
pipe = connection.makefile("rwb", buffering=0)`
  return `import socket, struct

request = ${pythonLiteral(body)}.encode("utf-8")
# ${note}
${open}
pipe.write(struct.pack("<i", len(request)) + request)

header = pipe.read(4)
if header:
    (length,) = struct.unpack("<i", header)
    reply = b""
    while len(reply) < length:
        reply += pipe.read(length - len(reply))
    print(reply.decode("utf-8"))
`
}

function csharpProgram(body: string, { pipeAddress }: CopyPlace): string | undefined {
  if (pipeAddress === undefined) return undefined
  const name = pipeAddress.replace('\\\\.\\pipe\\', '')
  return `using System;
using System.IO;
using System.IO.Pipes;
using System.Linq;
using System.Text;

class Program
{
    static void Main()
    {
        byte[] request = Encoding.UTF8.GetBytes(${jsonLiteral(body)});
        // ${note}
        var pipe = new NamedPipeClientStream(".", ${jsonLiteral(name)}, PipeDirection.InOut);
        pipe.Connect(5000);
        byte[] frame = BitConverter.GetBytes(request.Length).Concat(request).ToArray();
        pipe.Write(frame, 0, frame.Length);
        var reader = new BinaryReader(pipe);
        byte[] header = reader.ReadBytes(4);
        if (header.Length == 4)
            Console.WriteLine(Encoding.UTF8.GetString(reader.ReadBytes(BitConverter.ToInt32(header, 0))));
    }
}
`
}
