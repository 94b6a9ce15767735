// ServicePipe.exe                                        Windows: finds the wrapper and puts a person in focus
// ServicePipe.exe <process id>                           puts a person in focus
// ServicePipe.exe <process id> <command> [<arguments>]   any command; the arguments are one JSON object
using System;
using System.Text;
using System.Threading.Tasks;

public static class Program
{
    public static void Main(string[] args)
    {
        // Where Main returns, Mono now and then waits for an idle thread of its pool, for up to a minute.
        Environment.Exit(Start(args));
    }

    static int Start(string[] args)
    {
        Console.OutputEncoding = new UTF8Encoding(false);
        try
        {
            Run(args).GetAwaiter().GetResult();
            return 0;
        }
        catch (WrapperException e)
        {
            Console.Error.WriteLine(e.Code + ": " + e.Message);
            return 4;
        }
        catch (Exception e)
        {
            Console.Error.WriteLine("The wrapper was not reached: " + e.Message);
            return 3;
        }
    }

    static async Task Run(string[] args)
    {
        int pid = args.Length > 0 ? int.Parse(args[0]) : ServicePipe.FindWrapper();
        if (args.Length > 1) Console.Write(await ServicePipe.Call(pid, args[1], args.Length > 2 ? args[2] : null));
        else Console.WriteLine(await PutInFocus(pid));
    }

    static async Task<string> PutInFocus(int pid)
    {
        string version = await ServicePipe.Call(pid, "version");
        if (new Version(version) < new Version("2.1.4.19787")) throw new NotSupportedException("The wrapper is too old.");
        string person = "{\"customid\":\"4711\",\"firstname\":" + ServicePipe.Quote("Kåre") + ",\"lastname\":\"Nordmann\"}";
        return await ServicePipe.Call(pid, "selectperson", person);
    }
}
