// Signs and posts payloads of the partner link, to be copied: .NET 8, .NET Framework 4.7.2 or Mono, and nothing else.
using System;
using System.Collections.Generic;
using System.IO;
using System.Net.Http;
using System.Runtime.Serialization;
using System.Runtime.Serialization.Json;
using System.Security.Cryptography;
using System.Text;
using System.Threading.Tasks;

[DataContract] public class Contact { [DataMember] public string id, firstname, lastname, birthdate; }

[DataContract] public class Payload
{
    [DataMember] public string organizationId, employeeId, employeeFirstname, employeeLastname;
    [DataMember] public Contact contact;
    [DataMember] internal string aud, jti;
    [DataMember] internal long iat, exp;
}

[DataContract] class Header { [DataMember] internal string alg = "RS256", typ = "JWT", kid; }

[DataContract] class Answer { [DataMember] internal string url = null, code = null, detail = null; }

public class PartnerLink
{
    // A token is for one address: redirects are not followed.
    static readonly HttpClient Http = new HttpClient(new HttpClientHandler { AllowAutoRedirect = false });
    readonly RSA key;
    readonly string kid, receiver;

    public PartnerLink(RSA key, string kid, string receiver)
    { this.key = key; this.kid = kid; this.receiver = receiver; }

    /// <summary>Signs at the click: the token lives a minute and works once.</summary>
    public string Sign(Payload payload)
    {
        payload.aud = receiver;
        payload.jti = Guid.NewGuid().ToString();
        payload.iat = DateTimeOffset.UtcNow.ToUnixTimeSeconds();
        payload.exp = payload.iat + 60;
        var input = Encode(ToJson(new Header { kid = kid })) + "." + Encode(ToJson(payload));
        return input + "." + Encode(key.SignData(Encoding.ASCII.GetBytes(input),
            HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1));
    }

    /// <summary>Posts the token, for a program with a web view of its own. Open the address there, within 60 seconds.
    /// Never give it to another process as an argument: other users of the machine can read arguments.</summary>
    public async Task<Uri> PostAsync(string token)
    {
        var fields = new Dictionary<string, string> { { "payload", token } };
        var request = new HttpRequestMessage(HttpMethod.Post, receiver) { Content = new FormUrlEncodedContent(fields) };
        request.Headers.Accept.ParseAdd("application/json");
        using (var response = await Http.SendAsync(request))
        {
            var body = await response.Content.ReadAsStreamAsync();
            var answer = (Answer)new DataContractJsonSerializer(typeof(Answer)).ReadObject(body);
            if (answer.url == null) throw new InvalidOperationException(answer.code + ": " + answer.detail);
            return new Uri(answer.url);
        }
    }

    static byte[] ToJson(object value)
    {
        var json = new MemoryStream();
        new DataContractJsonSerializer(value.GetType()).WriteObject(json, value);
        return json.ToArray();
    }

    static string Encode(byte[] bytes)
    { return Convert.ToBase64String(bytes).TrimEnd('=').Replace('+', '-').Replace('/', '_'); }
}
