// ServicePipe.exe list                         the running wrappers
// ServicePipe.exe <command> [key=value ...]      one command; - in place of arguments reads them as JSON from standard input
// ServicePipe.exe subscribe events=<a>,<b>     the next of these events
using System;
using System.Linq;
using System.Text;

static class Program
{
    static string Run(string command, string args)
    {
        string[] open = { "pid", "version", "desktop", "address" };
        Func<string, string> show = record =>
            "{" + string.Join(",", open.Select(name => ServicePipe.Quote(name) + ":" + ServicePipe.Member(record, name))) + "}";
        if (command == "list") return "[" + string.Join(",", ServicePipe.ReadRecords().Select(show)) + "]";
        using (var pipe = new ServicePipe(ServicePipe.FindRecord()))
        {
            string result = command == "hello" ? pipe.Hello : pipe.Ask(command, args);
            return command == "subscribe" ? pipe.NextEvent() : result;
        }
    }

    /// <summary>The arguments of a command line as JSON. Words without = are wrong.</summary>
    static string ReadArgs(string[] words)
    {
        if (words.Length == 1 && words[0] == "-") return Console.In.ReadToEnd();
        return "{" + string.Join(",", words.Select(word =>
        {
            string name = word.Substring(0, word.IndexOf('=')), value = ServicePipe.Quote(word.Substring(name.Length + 1));
            return ServicePipe.Quote(name) + ":" + (name == "events" ? "[" + value.Replace(",", "\",\"") + "]" : value);
        })) + "}";
    }

    static int Start(string[] words)
    {
        string args;
        try { args = words.Length == 0 ? null : ReadArgs(words.Skip(1).ToArray()); }
        catch (ArgumentException) { args = null; }
        try
        {
            if (args != null) Console.WriteLine(Run(words[0], args));
            else Console.Error.WriteLine("ServicePipe.exe list | <command> [key=value ... | -] | subscribe events=<a>,<b>");
            return args != null ? 0 : 2;
        }
        catch (WrapperException refusal) { Console.Error.WriteLine(refusal.Code + ": " + refusal.Message); return 4; }
        catch (Exception failure) { Console.Error.WriteLine("The wrapper was not reached: " + failure.Message); return 3; }
    }

    static void Main(string[] words)
    {
        Console.InputEncoding = Console.OutputEncoding = new UTF8Encoding(false);
        // Where Main returns, Mono now and then waits for an idle thread of its pool, for up to a minute.
        Environment.Exit(Start(words));
    }
}
