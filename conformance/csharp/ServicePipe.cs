// One request to the running wrapper, to be copied. It needs C# 5 and nothing beyond the framework: .NET Framework 4.5 or
// later, .NET 6 or later, or Mono. JSON goes in and comes out as text, so that it fits the JSON library that you have.
using System;
using System.Diagnostics;
using System.IO;
using System.IO.Pipes;
using System.Linq;
using System.Runtime.InteropServices;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading.Tasks;

public static class ServicePipe
{
    // The names of the wrapper's maker and of the wrapper. Those of another brand have others.
    const string Vendor = "Service", Application = "Service.Client.WebWrapper";

    /// <summary>The record of the wrapper with this process id, or else of this desktop's, or else of one without a desktop, as JSON.</summary>
    public static string FindRecord(int pid = 0)
    {
        string folder = Path.Combine(UserFolder(), "run"), own = OwnDesktop();
        string[] files = Directory.Exists(folder) ? Directory.GetFiles(folder, "*.json") : new string[0];
        string[] records = files.Select(File.ReadAllText).Where(IsRunning).ToArray();
        string found = pid != 0
            ? records.FirstOrDefault(record => Member(record, "pid") == pid.ToString())
            : records.FirstOrDefault(record => Member(record, "desktop") == own)
                ?? records.FirstOrDefault(record => own == "" || Member(record, "desktop") == "");
        if (found != null) return found;
        string which = pid != 0 ? "as process " + pid : "on this desktop";
        throw new FileNotFoundException("No wrapper runs " + which + "; its record was looked for in " + folder + ".");
    }

    /// <summary>A killed wrapper leaves its record.</summary>
    static bool IsRunning(string record)
    {
        try
        {
            using (Process.GetProcessById(int.Parse(Member(record, "pid")))) return true;
        }
        catch (ArgumentException)
        {
            return false;
        }
    }

    /// <summary>The folder in which the wrapper keeps what belongs to this user.</summary>
    static string UserFolder()
    {
        string given = Environment.GetEnvironmentVariable("SERVICE_WRAPPER_DATA");
        if (!string.IsNullOrEmpty(given)) return given;
        // %LOCALAPPDATA%, or ~/.local/share. On macOS give ~/Library/Application Support.
        string data = Environment.GetFolderPath(Environment.SpecialFolder.LocalApplicationData);
        return Path.Combine(data, Vendor, Application);
    }

    /// <summary>Tells this desktop from the user's others; empty without one. Services are in session 0, which has none.</summary>
    static string OwnDesktop()
    {
        Func<string, string> variable = name => Environment.GetEnvironmentVariable(name) ?? "";
        int session = Process.GetCurrentProcess().SessionId;
        if (Path.DirectorySeparatorChar == '\\') return session == 0 ? "" : session.ToString();
        string display = Regex.Replace(variable("DISPLAY"), @"(:\d+)\.\d+$", "$1");
        return display != "" ? display : variable("WAYLAND_DISPLAY");
    }

    /// <summary>The reply; null where the command has none. At most 35 seconds.</summary>
    public static async Task<string> Call(string record, string method, string args = null)
    {
        string request = "{\"Method\":" + Quote(method) + (args == null ? "" : ",\"Args\":" + args) + "}";
        string name = Regex.Replace(Member(record, "address"), @"^\\\\\.\\pipe\\", "");
        using (var pipe = new NamedPipeClientStream(".", name, PipeDirection.InOut, PipeOptions.Asynchronous))
        {
            Task<string> exchange = Task.Run(() => Exchange(pipe, record, request));
            if (await Task.WhenAny(exchange, Task.Delay(35000)).ConfigureAwait(false) != exchange)
                throw new TimeoutException("The wrapper did not answer in time. Whether it did what was asked is not known.");
            string reply = await exchange.ConfigureAwait(false);
            string error = reply != null && reply.TrimStart().StartsWith("{") ? Member(reply, "error") : null;
            if (error != null) throw new WrapperException(Member(reply, "code"), error);
            return reply;
        }
    }

    /// <summary>Commands that bring the window to the front.</summary>
    const string Raising = "show|openworkout|selectperson|queryexercises|queryworkouts";

    static string Exchange(NamedPipeClientStream pipe, string record, string request)
    {
        pipe.Connect(5000);
        // The wrapper proves that it holds the key of its record. Nothing more is sent to anybody else.
        Write(pipe, "{\"ask\":" + Quote(Member(record, "ask")) + "}");
        string answer = Read(pipe);
        if (answer == null || Member(answer, "answer") != Member(record, "answer"))
            throw new UnauthorizedAccessException("This is not the wrapper of the record. Tell your administrator.");
        if (Regex.IsMatch(request, "^{\"Method\":\"(" + Raising + ")\"")) AllowFront(record);
        Write(pipe, request);
        return Read(pipe);
    }

    /// <summary>Windows lets a wrapper in the background come to the front only if the program in front allows it.</summary>
    static void AllowFront(string record)
    {
        if (Path.DirectorySeparatorChar != '\\') return;
        // The last allowance counts.
        foreach (string name in new[] { "browserPid", "pid" })
        {
            uint id;
            // The highest number means every process.
            if (uint.TryParse(Member(record, name), out id) && id < uint.MaxValue) AllowSetForegroundWindow(id);
        }
    }

    [DllImport("user32.dll")]
    static extern bool AllowSetForegroundWindow(uint processId);

    static void Write(Stream pipe, string text)
    {
        byte[] body = Encoding.UTF8.GetBytes(text);
        byte[] length = BitConverter.GetBytes(body.Length);
        if (!BitConverter.IsLittleEndian) Array.Reverse(length);
        byte[] frame = length.Concat(body).ToArray();
        pipe.Write(frame, 0, frame.Length);
    }

    static string Read(Stream pipe)
    {
        var reader = new BinaryReader(pipe); // ReadBytes goes on until it has all, or the stream ends
        byte[] length = reader.ReadBytes(4);
        if (length.Length == 0) return null;
        if (!BitConverter.IsLittleEndian) Array.Reverse(length);
        int count = length.Length == 4 ? BitConverter.ToInt32(length, 0) : 0;
        byte[] reply = count > 0 && count <= 16 * 1024 * 1024 ? reader.ReadBytes(count) : new byte[0];
        if (reply.Length == 0 || reply.Length < count) throw new IOException("The reply is broken off, or is not a frame.");
        return Encoding.UTF8.GetString(reply);
    }

    /// <summary>A text as JSON.</summary>
    public static string Quote(string text)
    {
        return "\"" + Regex.Replace(text, "[\\x00-\\x1f\"\\\\]", found => "\\u" + ((int)found.Value[0]).ToString("x4")) + "\"";
    }

    /// <summary>A member of a JSON object that is text, a number or a boolean, as text; or null.</summary>
    public static string Member(string json, string name)
    {
        Match found = Regex.Match(json, "\"" + name + "\"\\s*:\\s*(?:\"((?:[^\"\\\\]|\\\\.)*)\"|(true|false|-?\\d[-+.eE\\d]*))");
        return !found.Success ? null : found.Groups[2].Success ? found.Groups[2].Value : Regex.Unescape(found.Groups[1].Value);
    }
}

/// <summary>The wrapper says why it did not do what it was asked; the code is stable.</summary>
public class WrapperException : Exception
{
    public readonly string Code;
    public WrapperException(string code, string message) : base(message) { Code = code; }
}
