// A journal as programs of 2016 drive the wrapper, from before it had records and session mode. New programs copy ServicePipe.cs.
// It reads each reply with one call, lists as typed and as dynamic objects, and calls methods on what it reads.
// OlderProgram.exe <name or id of the wrapper's process> <customid> <first name> <last name> <date of birth, or "">
// mcs -r:Microsoft.CSharp.dll -r:System.Runtime.Serialization.dll -r:System.Xml.dll OlderProgram.cs
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Dynamic;
using System.Globalization;
using System.IO;
using System.IO.Pipes;
using System.Linq;
using System.Runtime.Serialization;
using System.Runtime.Serialization.Json;
using System.Text;
using System.Xml;

// Every argument is text, and Args is null where a command has none.
public class NamedPipeRequest
{
    public string Method;
    public Dictionary<string, string> Args;
}

public class User { public int Id; public string CustomId, Firstname, Lastname, Email, DateOfBirth; }

public class ExerciseData { public string Key, Value, Unit; }

public class Exercise { public int Id; public string Name; public List<List<ExerciseData>> Data; }

public class Workout
{
    public int Id, Owner, Executor, ExerciseCount;
    public string Name, Description, OwnerName, ExecutorName;
    public DateTime LastChangedAt;
    public List<Exercise> Exercises;
}

public static class OlderProgram
{
    static int processId;

    public static void Main(string[] args)
    {
        Console.OutputEncoding = new UTF8Encoding(false);
        try
        {
            Run(args[0], args[1], args[2], args[3], args[4]);
        }
        catch (Exception e)
        {
            Console.Error.WriteLine(e);
            Environment.Exit(1);
        }
        Environment.Exit(0); // Mono now and then waits for an idle thread of its pool.
    }

    static void Run(string process, string customId, string firstname, string lastname, string dateOfBirth)
    {
        processId = FindWrapper(process);
        string version = Ask("Version");
        bool isNewEnough = new Version(version) >= new Version("2.1.4.19787");
        Console.WriteLine("version {0}, {1}", version, isNewEnough ? "new enough" : "too old");

        Tell("Hide");
        Tell("Show");
        dynamic selected = Read(Ask("SelectPerson", new Dictionary<string, string>
        {
            { "customId", customId }, { "userid", "0" }, { "firstname", firstname }, { "lastname", lastname },
            { "gender", "K" }, { "dateOfBirth", dateOfBirth == "" ? "" : dateOfBirth + "T00:00:00" },
            { "email", "" }, { "phonehome", null }, { "zipcode", "0150" },
            { "profiledata", "[{\"name\":\"Weight\",\"value\":\"80\",\"unit\":\"kg\",\"date\":\"6/1/2016 12:30:00 PM\"}]" }
        }));
        int userId = selected.userid;
        Console.WriteLine("person {0} {1} {2}", selected.status, userId, selected.customid);

        string users = Ask("GetListOfUsers", new Dictionary<string, string> { { "customId", customId } });
        foreach (dynamic user in Read(users))
        {
            int id = user.Id;
            Console.WriteLine("dynamic user {0}: {1} {2} {3} {4} {5}", id, user.CustomId, user.Firstname, user.Lastname, user.Email, Known(user.DateOfBirth));
        }
        foreach (User user in Read<List<User>>(users))
            Console.WriteLine("typed user {0}: {1} {2} {3} {4} {5}", user.Id, user.CustomId, user.Firstname, user.Lastname, user.Email, Known(user.DateOfBirth));

        string workouts = Ask("GetWorkoutsForClient", new Dictionary<string, string> { { "customId", customId }, { "userid", "0" }, { "from", "2000-01-01" } });
        foreach (dynamic workout in Read(workouts))
        {
            int owner = workout.Owner, executor = workout.Executor, count = workout.ExerciseCount;
            var changed = DateTime.Parse(workout.LastChangedAt, CultureInfo.InvariantCulture);
            Console.WriteLine("dynamic workout {0}: {1}, by {2} {3} for {4} {5}, {6:yyyy}, {7} exercises", workout.Id, workout.Name, owner, workout.OwnerName, executor, workout.ExecutorName, changed, count);
            foreach (dynamic exercise in workout.Exercises)
                foreach (dynamic list in exercise.Data)
                    foreach (dynamic data in list)
                        Console.WriteLine("dynamic exercise {0}: {1}, {2} {3} {4}", exercise.Id, exercise.Name, data.Key, data.Value, data.Unit);
        }
        List<Workout> typed = Read<List<Workout>>(workouts);
        foreach (Workout workout in typed)
        {
            Console.WriteLine("typed workout {0}: {1}, by {2} {3} for {4} {5}, {6:yyyy}, {7} exercises", workout.Id, workout.Name, workout.Owner, workout.OwnerName, workout.Executor, workout.ExecutorName, workout.LastChangedAt, workout.ExerciseCount);
            foreach (Exercise exercise in workout.Exercises)
                foreach (ExerciseData data in exercise.Data.SelectMany(list => list))
                    Console.WriteLine("typed exercise {0}: {1}, {2} {3} {4}", exercise.Id, exercise.Name, data.Key, data.Value, data.Unit);
        }
        if (typed.Count > 0) Tell("OpenWorkout", new Dictionary<string, string> { { "id", typed[0].Id.ToString() } });
        Tell("SetCustomId", new Dictionary<string, string> { { "userid", userId.ToString() }, { "customid", customId } });
        Console.WriteLine("done");
    }

    /// <summary>A date of the year 1 is none.</summary>
    static string Known(string date)
    {
        return date.StartsWith("000") ? "unknown" : date;
    }

    static int FindWrapper(string process)
    {
        int id;
        if (int.TryParse(process, out id)) return id;
        int session = Process.GetCurrentProcess().SessionId;
        return Process.GetProcessesByName(process).First(each => each.SessionId == session).Id;
    }

    /// <summary>A command with a reply.</summary>
    static string Ask(string method, Dictionary<string, string> args = null)
    {
        string reply = Send(method, args);
        if (reply == null || reply.StartsWith("{\"error\"")) throw new IOException(method + " was refused: " + reply);
        return reply;
    }

    /// <summary>A command without a reply: only a failure has one.</summary>
    static void Tell(string method, Dictionary<string, string> args = null)
    {
        string reply = Send(method, args);
        if (reply != null) throw new IOException(method + " was refused: " + reply);
    }

    static string Send(string method, Dictionary<string, string> args)
    {
        using (var pipe = new NamedPipeClientStream(".", "servicepipe." + processId, PipeDirection.InOut))
        {
            pipe.Connect(5000);
            var stream = new StringStream(pipe);
            stream.WriteString(Write(new NamedPipeRequest { Method = method, Args = args }));
            return stream.ReadString();
        }
    }

    static string Write(NamedPipeRequest request)
    {
        var serializer = new DataContractJsonSerializer(typeof(NamedPipeRequest), new DataContractJsonSerializerSettings { UseSimpleDictionaryFormat = true });
        using (var memory = new MemoryStream())
        {
            serializer.WriteObject(memory, request);
            return Encoding.UTF8.GetString(memory.ToArray());
        }
    }

    static T Read<T>(string json)
    {
        var settings = new DataContractJsonSerializerSettings { DateTimeFormat = new DateTimeFormat("yyyy-MM-dd'T'HH:mm:ss.FFFFFFFK") };
        using (var memory = new MemoryStream(Encoding.UTF8.GetBytes(json)))
            return (T)new DataContractJsonSerializer(typeof(T), settings).ReadObject(memory);
    }

    static dynamic Read(string json)
    {
        var document = new XmlDocument();
        document.Load(JsonReaderWriterFactory.CreateJsonReader(Encoding.UTF8.GetBytes(json), XmlDictionaryReaderQuotas.Max));
        return JsonObject.Of(document.DocumentElement);
    }
}

/// <summary>Text in a frame: four bytes with its length, the lowest first, then UTF-8.</summary>
public class StringStream
{
    readonly Stream stream;

    public StringStream(Stream stream) { this.stream = stream; }

    public void WriteString(string text)
    {
        byte[] body = Encoding.UTF8.GetBytes(text);
        stream.Write(BitConverter.GetBytes(body.Length), 0, 4);
        stream.Write(body, 0, body.Length);
        stream.Flush();
    }

    /// <summary>Takes what one call gives for the whole text. A new program reads until it has all.</summary>
    public string ReadString()
    {
        var length = new byte[4];
        if (stream.Read(length, 0, 4) < 4) return null;
        var body = new byte[BitConverter.ToInt32(length, 0)];
        int count = stream.Read(body, 0, body.Length);
        if (count < body.Length) throw new IOException(count + " of " + body.Length + " bytes came in one read.");
        return Encoding.UTF8.GetString(body);
    }
}

/// <summary>An object of JSON, whose members are found by their exact name.</summary>
public class JsonObject : DynamicObject
{
    readonly Dictionary<string, object> members;

    JsonObject(Dictionary<string, object> members) { this.members = members; }

    public override bool TryGetMember(GetMemberBinder binder, out object value)
    {
        return members.TryGetValue(binder.Name, out value);
    }

    public static object Of(XmlElement element)
    {
        IEnumerable<XmlElement> children = element.ChildNodes.OfType<XmlElement>();
        switch (element.GetAttribute("type"))
        {
            case "object": return new JsonObject(children.ToDictionary(child => child.Name, Of));
            case "array": return children.Select(Of).ToList();
            case "number": return int.Parse(element.InnerText, CultureInfo.InvariantCulture);
            case "boolean": return element.InnerText == "true";
            case "null": return null;
            default: return element.InnerText;
        }
    }
}
