// A pipe server of somebody else: classic mode alone, one instance of the pipe, made anew for each client. It is called
// with the prefix of the pipe's name, and writes one line for each request that it has read: method, tab, id.
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
            using (var pipe = new NamedPipeServerStream(name, PipeDirection.InOut, 1))
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
        byte[] header = Read(pipe, 4);
        if (header == null) return;
        byte[] body = Read(pipe, BitConverter.ToInt32(header, 0));
        if (body == null) return;
        string request = Encoding.UTF8.GetString(body);
        string method = Member(request, "Method").ToLowerInvariant();
        string customId = Member(request, "customid");
        Console.WriteLine(method + "\t" + (customId == "" ? Member(request, "id") : customId));
        if (method == "version") Reply(pipe, "2.1.4.19787");
        else if (method == "getlistofusers")
            Reply(pipe, "[{\"Id\":" + customId.Length + ",\"CustomId\":\"" + customId + "\"}]");
    }

    /// <summary>The value of the first member of that name; the requests of the test have no nested ones.</summary>
    static string Member(string json, string name)
    {
        return Regex.Match(json, "\"" + name + "\":\"?([\\w-]+)").Groups[1].Value;
    }

    static void Reply(Stream pipe, string text)
    {
        byte[] body = Encoding.UTF8.GetBytes(text);
        byte[] frame = new byte[4 + body.Length];
        BitConverter.GetBytes(body.Length).CopyTo(frame, 0);
        body.CopyTo(frame, 4);
        pipe.Write(frame, 0, frame.Length);
    }

    static byte[] Read(Stream pipe, int count)
    {
        byte[] bytes = new byte[count];
        for (int filled = 0; filled < count;)
        {
            int read = pipe.Read(bytes, filled, count - filled);
            if (read == 0) return null;
            filled += read;
        }
        return bytes;
    }
}
