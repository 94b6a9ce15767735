// ServicePipe.exe                                          finds the wrapper and puts a person in focus
// ServicePipe.exe [<process id>] <command> [<arguments>]   any command; the arguments are one JSON object
using System;
using System.Linq;
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
        int pid;
        bool isGiven = int.TryParse(args.FirstOrDefault(), out pid);
        string record = ServicePipe.FindRecord(pid);
        string[] call = args.Skip(isGiven ? 1 : 0).ToArray();
        if (call.Length == 0) Console.WriteLine(await PutInFocus(record));
        else Console.Write(await ServicePipe.Call(record, call[0], call.Length > 1 ? call[1] : null));
    }

    static Task<string> PutInFocus(string record)
    {
        string person = "{\"customid\":\"4711\",\"firstname\":" + ServicePipe.Quote("Kåre") + ",\"lastname\":\"Nordmann\"}";
        return ServicePipe.Call(record, "selectperson", person);
    }
}
