// A pipe server of 2016: classic mode alone, one instance of the pipe, made anew for each client. It reads and writes length
// and text with one call each, and closes without a reply where a command has none. It is called with the prefix of the pipe's
// name, and writes one line for each request that it has read: method, tab, id.
using System;
using System.Diagnostics;
using System.IO;
using System.IO.Pipes;
using System.Text;
using System.Text.RegularExpressions;

static class ClassicOnlyServer
{
    static void Main(string[] args)
    {
        string name = args[0] + "." + Process.GetCurrentProcess().Id;
        for (bool isFirst = true; ; isFirst = false)
        {
            using (var pipe = new NamedPipeServerStream(name, PipeDirection.InOut, 1, PipeTransmissionMode.Byte, PipeOptions.WriteThrough))
            {
                if (isFirst) Console.WriteLine("listens");
                pipe.WaitForConnection();
                try
                {
                    Serve(pipe);
                }
                catch (IOException)
                {
                    // The client has gone.
                }
            }
        }
    }

    static void Serve(Stream pipe)
    {
        byte[] header = new byte[4];
        if (pipe.Read(header, 0, 4) < 4) return;
        byte[] body = new byte[BitConverter.ToInt32(header, 0)];
        pipe.Read(body, 0, body.Length);
        string request = Encoding.UTF8.GetString(body);
        string method = Member(request, "Method").ToLowerInvariant();
        string customId = Member(request, "customid");
        Console.WriteLine(method + "\t" + (customId == "" ? Member(request, "id") : customId));
        switch (method)
        {
            case "show":
            case "hide":
            case "close":
            case "log":
            case "openworkout":
                return;
            case "version":
                Reply(pipe, "2.1.4.19787");
                return;
            case "getlistofusers":
                Reply(pipe, "[{\"Id\":" + customId.Length + ",\"CustomId\":\"" + customId + "\",\"Firstname\":\"K\u00e5re\",\"DateOfBirth\":\"0001-01-01T00:00:00\"}]");
                return;
            case "getworkoutsforclient":
                Reply(pipe, workouts);
                return;
            case "selectperson":
                Reply(pipe, Member(request, "source") == "" ? Error("Source (the name of your application) is mandatory.") : "{\"status\":\"OK\"}");
                return;
            default:
                Reply(pipe, Error("Method '" + method + "' not supported."));
                return;
        }
    }

    const string workouts = "[{\"Id\":3,\"Name\":\"June\",\"Description\":null,\"LastChangedAt\":\"2015-06-01T00:00:00\",\"Owner\":1,\"Executor\":5,\"ExerciseCount\":1,"
        + "\"Exercises\":[{\"Id\":7,\"Name\":\"Squat\",\"Data\":[[{\"Key\":\"Weight\",\"Value\":\"10\",\"Unit\":\"Kg\"}],[]]}]},"
        + "{\"Id\":4,\"Name\":null,\"Description\":null,\"LastChangedAt\":\"0001-01-01T00:00:00\",\"Owner\":0,\"Executor\":0,\"ExerciseCount\":0,\"Exercises\":null}]";

    static string Error(string sentence)
    {
        return "{ \"error\": \"" + sentence + "\" } ";
    }

    /// <summary>The value of the first member of that name; the requests of the test have no nested ones.</summary>
    static string Member(string json, string name)
    {
        return Regex.Match(json, "\"" + name + "\":\"?([\\w-]+)").Groups[1].Value;
    }

    static void Reply(Stream pipe, string text)
    {
        byte[] body = Encoding.UTF8.GetBytes(text);
        pipe.Write(BitConverter.GetBytes(body.Length), 0, 4);
        pipe.Write(body, 0, body.Length);
        pipe.Flush();
    }
}
