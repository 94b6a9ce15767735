// Opens the service in the user's browser, by a private page that posts the token. .NET, .NET Framework 4.5 or later, Mono.
using System;
using System.Diagnostics;
using System.IO;
using System.Net;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;

public static class ServicePage
{
    static readonly bool IsUnix = Environment.OSVersion.Platform == PlatformID.Unix;

    /// <summary>
    /// Opens the page, and removes it after two minutes: the token's minute and the receiver's tolerance. Signal
    /// <paramref name="ending"/> when your application ends sooner, and wait for the task.
    /// </summary>
    public static async Task OpenAsync(string receiver, string token, CancellationToken ending)
    {
        var folder = MakePrivateFolder();
        try
        {
            var page = Path.Combine(folder, "open.html");
            File.WriteAllText(page, "<!doctype html><meta charset=\"utf-8\"><title>One moment</title>"
                + "<form method=\"post\" action=\"" + WebUtility.HtmlEncode(receiver) + "\">"
                + "<input type=\"hidden\" name=\"payload\" value=\"" + WebUtility.HtmlEncode(token) + "\">"
                + "<button>Open the service</button></form><script>document.forms[0].submit()</script>");
            // On macOS the program is open.
            var opener = IsUnix
                ? new ProcessStartInfo("xdg-open", "\"" + page + "\"") { UseShellExecute = false }
                : new ProcessStartInfo(page) { UseShellExecute = true };
            using (Process.Start(opener)) { }
            await Task.Delay(TimeSpan.FromMinutes(2), ending).ContinueWith(_ => { });
        }
        finally { Directory.Delete(folder, true); }
    }

    /// <summary>On Windows the user's temporary folder is private. Browsers packed as snaps read the home folder only.</summary>
    static string MakePrivateFolder()
    {
        var name = "service-" + Guid.NewGuid().ToString("N");
        if (!IsUnix) return Directory.CreateDirectory(Path.Combine(Path.GetTempPath(), name)).FullName;
        var folder = Path.Combine(Environment.GetFolderPath(Environment.SpecialFolder.UserProfile), name);
        if (mkdir(folder, 448) != 0) throw new IOException("The folder for the page cannot be made."); // 0700
        return folder;
    }

    [DllImport("libc")] static extern int mkdir(string path, uint mode);
}
