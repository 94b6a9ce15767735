import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { compile } from '../../internal/test-kit/src/partner-programs.ts'

const examples = fileURLToPath(new URL('../', import.meta.url))

/** A program that asks a wrapper by a function of the examples, as often as it is told. */
export interface AskingProgram extends Disposable {
  /** Resolves with the code of the refusal, or empty. */
  ask(pid: number, command: string, args?: object): Promise<string>
}

const inPython = `
import json, sys, service_pipe
for line in sys.stdin:
    pid, method, args = line.rstrip("\\n").split("\\t")
    try:
        service_pipe.call(service_pipe.find_record(int(pid)), method, json.loads(args or "{}"))
        print("", flush=True)
    except service_pipe.WrapperError as refusal:
        print(refusal.code, flush=True)
`

const inCSharp = `
public static class Asking
{
    public static void Main()
    {
        System.Console.InputEncoding = new System.Text.UTF8Encoding(false);
        for (string line; (line = System.Console.ReadLine()) != null;)
        {
            string[] parts = line.Split('\\t');
            try
            {
                string record = ServicePipe.FindRecord(int.Parse(parts[0]));
                ServicePipe.Call(record, parts[1], parts[2] == "" ? null : parts[2]).GetAwaiter().GetResult();
                System.Console.WriteLine();
            }
            catch (WrapperException refusal) { System.Console.WriteLine(refusal.Code); }
        }
    }
}
`

/** By language. Each start of Python or Mono takes a tenth of a second, so one process asks everything. */
const starts: Readonly<Record<string, (folder: string) => Promise<[command: string, ...argv: string[]]>>> = {
  Python: async () => ['python3', '-B', '-W', 'error', '-c', inPython],
  'C#': async folder => {
    const source = join(folder, 'Asking.cs')
    const program = join(folder, 'Asking.exe')
    writeFileSync(source, inCSharp)
    await compile('mcs', [`-out:${program}`, source, join(examples, 'csharp', 'ServicePipe.cs')])
    return ['mono', program]
  },
}

/** @returns nothing for C, whose programs start in no time */
export async function startAsking(language: string, folder: string): Promise<AskingProgram | undefined> {
  const [command, ...argv] = (await starts[language]?.(folder)) ?? []
  if (command === undefined) return undefined
  const env = { ...process.env, PYTHONPATH: join(examples, 'python'), PYTHONIOENCODING: 'utf-8' }
  const child = spawn(command, argv, { env, stdio: ['pipe', 'pipe', 'inherit'], timeout: 60_000 })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  return {
    async ask(pid, method, args) {
      child.stdin.write(`${pid}\t${method}\t${args ? JSON.stringify(args) : ''}\n`)
      return (await lines.next()).value ?? 'The program has ended.'
    },
    [Symbol.dispose]: () => void child.kill('SIGKILL'),
  }
}
