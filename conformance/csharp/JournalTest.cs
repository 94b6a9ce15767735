// A test of a journal against a wrapper in memory, beside ServicePipe.cs: mcs ServicePipe.cs JournalTest.cs
using System;
using System.Diagnostics;
using System.Text;

public static class JournalTest
{
    // Installed by npm.
    const string Installed = "node_modules/@service-link/wrapper-host/dist/cli/service-webwrapper.cjs";

    public static void Main(string[] args)
    {
        var start = new ProcessStartInfo("node", (args.Length > 0 ? args[0] : Installed) + " test --signed-out")
        {
            UseShellExecute = false,
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
            StandardOutputEncoding = Encoding.UTF8
        };
        using (Process wrapper = Process.Start(start))
        {
            string where = wrapper.StandardOutput.ReadLine();
            if (where == null) // Node is too old, or the file is not there: it says so
            {
                Console.Error.WriteLine("The wrapper did not start: " + wrapper.StandardError.ReadToEnd().Trim());
                Environment.Exit(1);
            }
            wrapper.ErrorDataReceived += (sender, line) => { if (line.Data != null) Console.Error.WriteLine(line.Data); };
            wrapper.BeginErrorReadLine();
            // The program under test finds it by this variable, as this one does.
            Environment.SetEnvironmentVariable("SERVICE_WRAPPER_DATA", ServicePipe.Text(ServicePipe.Member(where, "userFolder")));

            Ask(wrapper, "signin");
            string person = "{\"customid\":\"4711\",\"firstname\":\"Kari\",\"lastname\":\"Nordmann\"}";
            using (var pipe = new ServicePipe(ServicePipe.FindRecord()))
                Expect("\"created\"", ServicePipe.Member(pipe.Ask("selectperson", person), "status"));
            string call = Ask(wrapper, "next");
            Expect("\"selectPerson\"", ServicePipe.Member(call, "handler"));
            Expect("\"4711\"", ServicePipe.Member(ServicePipe.Member(call, "args"), "customId"));

            wrapper.StandardInput.Close(); // it ends with its standard input
            wrapper.WaitForExit();
            Expect("0", wrapper.ExitCode.ToString());
        }
        Console.WriteLine("The patient was put in focus.");
        Environment.Exit(0); // Mono now and then waits for an idle thread of its pool.
    }

    static string Ask(Process wrapper, string command)
    {
        wrapper.StandardInput.WriteLine(command);
        return wrapper.StandardOutput.ReadLine();
    }

    static void Expect(string wanted, string found)
    {
        if (wanted == found) return;
        Console.Error.WriteLine("Expected " + wanted + ", found " + found);
        Environment.Exit(1);
    }
}
