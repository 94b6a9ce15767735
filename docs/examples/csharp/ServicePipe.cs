// One request to the running wrapper, to be copied. It needs C# 5 and nothing beyond the framework: .NET Framework 4.5 or
// later, .NET 6 or later, or Mono. JSON goes in and comes out as text, so that it fits the JSON library that you have.
using System;
using System.Diagnostics;
using System.IO;
using System.IO.Pipes;
using System.Linq;
using System.Text;
using System.Text.RegularExpressions;
using System.Threading.Tasks;

public static class ServicePipe
{
    /// <summary>Windows: the wrapper of this login session. Later starts, which hand over to it, live for a moment.</summary>
    public static int FindWrapper()
    {
        int session = Process.GetCurrentProcess().SessionId;
        var found = Process.GetProcessesByName("Service.Client.WebWrapper").Where(each => each.SessionId == session);
        Process oldest = found.OrderBy(each => each.StartTime).FirstOrDefault();
        if (oldest == null) throw new FileNotFoundException("No wrapper runs.");
        return oldest.Id;
    }

    /// <summary>The reply; null where the command has none. At most 35 seconds.</summary>
    public static async Task<string> Call(int pid, string method, string args = null)
    {
        string request = "{\"Method\":" + Quote(method) + (args == null ? "" : ",\"Args\":" + args) + "}";
        PipeOptions options = PipeOptions.Asynchronous, ownOnly;
        if (Enum.TryParse("CurrentUserOnly", out ownOnly)) options |= ownOnly;
#if !NETFRAMEWORK // which has no such option; see below
        else throw new PlatformNotSupportedException("Define NETFRAMEWORK: nothing checks whose pipe it is.");
#endif
        using (var pipe = new NamedPipeClientStream(".", "servicepipe." + pid, PipeDirection.InOut, options))
        {
            Task<string> exchange = Task.Run(() => Exchange(pipe, request));
            if (await Task.WhenAny(exchange, Task.Delay(35000)).ConfigureAwait(false) != exchange)
                throw new TimeoutException("The wrapper did not answer in time. Whether it did what was asked is not known.");
            string reply = await exchange.ConfigureAwait(false);
            string error = reply != null && reply.TrimStart().StartsWith("{") ? Member(reply, "error") : null;
            if (error != null) throw new WrapperException(Member(reply, "code"), error);
            return reply;
        }
    }

    static string Exchange(NamedPipeClientStream pipe, string request)
    {
        for (int left = 9; ; left--) // while the pipe is busy, not there yet, or between two clients
            try { pipe.Connect(500); break; }
            catch (TimeoutException) { if (left == 0) throw; }
            catch (IOException) { if (left == 0) throw; }
#if NETFRAMEWORK // projects in the SDK style define it; define it yourself in an older one
        var me = System.Security.Principal.WindowsIdentity.GetCurrent().Owner;
        if (!me.Equals(pipe.GetAccessControl().GetOwner(me.GetType())))
            throw new UnauthorizedAccessException("The pipe belongs to another user.");
#endif
        byte[] body = Encoding.UTF8.GetBytes(request);
        byte[] length = BitConverter.GetBytes(body.Length);
        if (!BitConverter.IsLittleEndian) Array.Reverse(length);
        byte[] frame = length.Concat(body).ToArray();
        pipe.Write(frame, 0, frame.Length);

        var reader = new BinaryReader(pipe); // ReadBytes goes on until it has all, or the stream ends
        length = reader.ReadBytes(4);
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

    /// <summary>A member of a JSON object that is text, or null.</summary>
    public static string Member(string json, string name)
    {
        Match found = Regex.Match(json, "\"" + name + "\"\\s*:\\s*\"((?:[^\"\\\\]|\\\\.)*)\"");
        return found.Success ? Regex.Unescape(found.Groups[1].Value) : null;
    }
}

/// <summary>The wrapper says why it did not do what it was asked; the code is stable.</summary>
public class WrapperException : Exception
{
    public readonly string Code;
    public WrapperException(string code, string message) : base(message) { Code = code; }
}
