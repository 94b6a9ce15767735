// Drives the running wrapper, to be copied: C# 5, .NET Framework 4.5, .NET 6 or Mono, without a library. JSON goes in and comes out
// as text, so that it fits the JSON library that you have. Program.cs calls it from a command line.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.IO;
using System.IO.Pipes;
using System.Linq;
using System.Runtime.InteropServices;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading.Tasks;

/// <summary>A connection to the wrapper of a record, for one request after the other, and for events.</summary>
public class ServicePipe : IDisposable
{
    const int LimitSeconds = 35;
    // The names of the wrapper's maker and of the wrapper. Those of another brand have others.
    const string Vendor = "Service", Application = "Service.Client.WebWrapper";
    // Commands that bring the window to the front.
    const string Raising = "show|openworkout|selectperson|queryexercises|queryworkouts";
    static readonly bool IsWindows = Path.DirectorySeparatorChar == '\\';

    /// <summary>The record of this desktop's wrapper, or else of one without a desktop, as JSON.</summary>
    public static string FindRecord()
    {
        string own = OwnDesktop();
        string[] records = ReadRecords(), found = records.Where(record => Text(Member(record, "desktop")) == own).ToArray();
        if (found.Length == 0) found = records.Where(record => own == "" || Text(Member(record, "desktop")) == "").ToArray();
        if (found.Length == 1) return found[0];
        throw new FileNotFoundException((found.Length == 0 ? "No wrapper" : "More than one wrapper") + " runs on this desktop.");
    }

    /// <summary>The records of running wrappers. Each holds a secret: never print it.</summary>
    public static string[] ReadRecords()
    {
        string folder = Path.Combine(UserFolder(), "run");
        string[] files = Directory.Exists(folder) ? Directory.GetFiles(folder, "*.json") : new string[0];
        return files.Select(File.ReadAllText).Where(IsRunning).ToArray();
    }

    /// <summary>A killed wrapper leaves its record.</summary>
    static bool IsRunning(string record)
    {
        try { using (Process.GetProcessById(int.Parse(Member(record, "pid")))) return true; }
        catch (ArgumentException) { return false; }
    }

    /// <summary>The folder in which the wrapper keeps what belongs to this user.</summary>
    static string UserFolder()
    {
        string given = Environment.GetEnvironmentVariable("SERVICE_WRAPPER_DATA");
        // %LOCALAPPDATA%, or ~/.local/share. On macOS give ~/Library/Application Support.
        string data = Environment.GetFolderPath(Environment.SpecialFolder.LocalApplicationData);
        return string.IsNullOrEmpty(given) ? Path.Combine(data, Vendor, Application) : given;
    }

    /// <summary>Tells this desktop from the user's others; empty without one. Services are in session 0, which has none.</summary>
    static string OwnDesktop()
    {
        Func<string, string> variable = name => Environment.GetEnvironmentVariable(name) ?? "";
        int session = Process.GetCurrentProcess().SessionId;
        if (IsWindows) return session == 0 ? "" : session.ToString();
        string display = Regex.Replace(variable("DISPLAY"), @"(:\d+)\.\d+$", "$1");
        return display != "" ? display : variable("WAYLAND_DISPLAY");
    }

    // #region connection
    readonly NamedPipeClientStream pipe;
    readonly Queue<string> events = new Queue<string>();
    int id;
    /// <summary>The answer to hello, as JSON.</summary>
    public readonly string Hello;

    /// <summary>The wrapper proves that it holds the key of its record. Nothing more is sent to anybody else.</summary>
    public ServicePipe(string record)
    {
        string name = Regex.Replace(Text(Member(record, "address")), @"^\\\\\.\\pipe\\", ""), key = Member(record, "key");
        pipe = new NamedPipeClientStream(".", name, PipeDirection.InOut, PipeOptions.Asynchronous);
        try
        {
            pipe.Connect(5000);
            Write("{\"ask\":" + Member(key, "ask") + "}");
            if (Member(WithinLimit(Read), "answer") != Member(key, "answer"))
                throw new UnauthorizedAccessException("This is not the wrapper of the record. Tell your administrator.");
            Hello = Ask("hello");
        }
        catch { pipe.Dispose(); throw; }
    }

    public void Dispose() { pipe.Dispose(); }

    /// <summary>The result of a command, as JSON.</summary>
    public string Ask(string method, string args = "{}")
    {
        if (IsWindows && Regex.IsMatch(method, "^(" + Raising + ")$"))
        {
            // Only the program in front can let the wrapper come to the front. The last allowance counts.
            AllowSetForegroundWindow(uint.Parse(Member(Hello, "browserpid") ?? Member(Hello, "pid")));
            AllowSetForegroundWindow(uint.Parse(Member(Hello, "pid")));
        }
        Write("{\"Id\":" + ++id + ",\"Method\":" + Quote(method) + ",\"Args\":" + args + "}");
        string message;
        while (Member(message = WithinLimit(Read), "Event") != null) events.Enqueue(message);
        string error = Member(message, "Error");
        if (error != null) throw new WrapperException(Text(Member(error, "Code")), Text(Member(error, "Message")));
        return Member(message, "Result");
    }

    [DllImport("user32.dll")]
    static extern bool AllowSetForegroundWindow(uint processId);

    /// <summary>Waits for an event that subscribe named, without a limit, as JSON: {"Event": ..., "Data": ...}.</summary>
    public string NextEvent() { return events.Count > 0 ? events.Dequeue() : Read(); }
    // #endregion connection

    void Write(string json)
    {
        byte[] body = Encoding.UTF8.GetBytes(json);
        byte[] frame = BitConverter.GetBytes(body.Length).Concat(body).ToArray(); // little-endian, as all processors of Windows
        pipe.Write(frame, 0, frame.Length);
    }

    string Read()
    {
        int length = BitConverter.ToInt32(ReadExactly(4), 0);
        if (length < 1 || length > 16 * 1024 * 1024) throw new IOException("The reply is no frame.");
        return Encoding.UTF8.GetString(ReadExactly(length));
    }

    byte[] ReadExactly(int count)
    {
        byte[] data = new BinaryReader(pipe).ReadBytes(count); // goes on until it has all, or the stream ends
        if (data.Length < count) throw new IOException("The wrapper has ended the connection.");
        return data;
    }

    static string WithinLimit(Func<string> work)
    {
        Task<string> task = Task.Run(work);
        if (Task.WaitAny(new Task[] { task }, LimitSeconds * 1000) == 0) return task.GetAwaiter().GetResult();
        throw new TimeoutException("The wrapper did not answer in time. It may have done what was asked.");
    }

    /// <summary>The JSON of a member of a JSON object; null if it is missing.</summary>
    public static string Member(string json, string name)
    {
        string key = "";
        for (int at = json.IndexOf('{') + 1, start = at, depth = 1; at < json.Length; at++)
        {
            char c = json[at];
            if (c == '"') while (json[++at] != '"') at += json[at] == '\\' ? 1 : 0;
            else if (c == '{' || c == '[') depth++;
            else if (depth == 1 && c == ':') { key = json.Substring(start, at - start).Trim(); start = at + 1; }
            else if (depth == 1 && (c == ',' || c == '}'))
            {
                if (key == Quote(name)) return json.Substring(start, at - start).Trim();
                start = at + 1;
            }
            if (c == '}' || c == ']') depth--;
        }
        return null;
    }

    /// <summary>A text of JSON as it reads.</summary>
    public static string Text(string json) { return json.StartsWith("\"") ? Regex.Unescape(json.Substring(1, json.Length - 2)) : json; }

    /// <summary>A text as JSON.</summary>
    public static string Quote(string text)
    { return "\"" + Regex.Replace(text, "[\\x00-\\x1f\"\\\\]", found => "\\u" + ((int)found.Value[0]).ToString("x4")) + "\""; }
}

/// <summary>The wrapper did not do what it was asked. The code is stable.</summary>
public class WrapperException : Exception
{
    public readonly string Code;
    public WrapperException(string code, string message) : base(message) { Code = code; }
}
