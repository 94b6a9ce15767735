// Signs a payload of the partner link, to be copied: .NET 6 or later, .NET Framework 4.6.1 or Mono, and nothing else.
// SignPayload.exe <private key, PEM> <kid> <address of the receiver>     claims as JSON on standard input, the token on standard output
using System;
using System.IO;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;

public static class SignPayload
{
    /// <summary>Signs at the click: the token lives a minute and works once.</summary>
    /// <param name="claims">A JSON object of organizationId, employeeId, contact and others, without aud, iat, exp and jti.</param>
    public static string Sign(string claims, RSA key, string kid, string audience)
    {
        long now = DateTimeOffset.UtcNow.ToUnixTimeSeconds();
        string header = "{\"alg\":\"RS256\",\"typ\":\"JWT\",\"kid\":\"" + kid + "\"}";
        string own = "{\"aud\":\"" + audience + "\",\"iat\":" + now + ",\"exp\":" + (now + 60) + ",\"jti\":\"" + Guid.NewGuid() + "\",";
        string input = Encode(Encoding.UTF8.GetBytes(header)) + "." + Encode(Encoding.UTF8.GetBytes(own + claims.Trim().Substring(1)));
        byte[] signature = key.SignData(Encoding.ASCII.GetBytes(input), HashAlgorithmName.SHA256, RSASignaturePadding.Pkcs1);
        return input + "." + Encode(signature);
    }

    static string Encode(byte[] bytes)
    { return Convert.ToBase64String(bytes).TrimEnd('=').Replace('+', '-').Replace('/', '_'); }

    /// <summary>Reads a key that begins with BEGIN PRIVATE KEY (PKCS #8). From .NET 5 on RSA.ImportFromPem does this.</summary>
    public static RSA ReadKey(string pem)
    {
        var der = new BinaryReader(new MemoryStream(Convert.FromBase64String(Regex.Replace(pem, "-----[^-]+-----", ""))));
        ReadLength(der); // the key with its algorithm
        ReadValue(der);  // version
        ReadValue(der);  // algorithm
        ReadLength(der); // octets, which hold
        ReadLength(der); // the key
        ReadValue(der);  // version
        byte[] modulus = ReadValue(der).SkipWhile(octet => octet == 0).ToArray(), exponent = ReadValue(der);
        int half = (modulus.Length + 1) / 2;
        var key = RSA.Create();
        key.ImportParameters(new RSAParameters
        {
            Modulus = modulus, Exponent = exponent, D = ReadNumber(der, modulus.Length), P = ReadNumber(der, half), Q = ReadNumber(der, half),
            DP = ReadNumber(der, half), DQ = ReadNumber(der, half), InverseQ = ReadNumber(der, half)
        });
        return key;
    }

    static int ReadLength(BinaryReader der)
    {
        der.ReadByte(); // kind
        int length = der.ReadByte();
        return length < 0x80 ? length : der.ReadBytes(length - 0x80).Aggregate(0, (sum, octet) => sum << 8 | octet);
    }

    static byte[] ReadValue(BinaryReader der) { return der.ReadBytes(ReadLength(der)); }

    static byte[] ReadNumber(BinaryReader der, int size)
    {
        byte[] value = ReadValue(der).SkipWhile(octet => octet == 0).ToArray();
        return new byte[size - value.Length].Concat(value).ToArray();
    }

    static int Main(string[] args)
    {
        if (args.Length != 3)
        {
            Console.Error.WriteLine("SignPayload.exe <private key> <kid> <address of the receiver> < claims.json");
            return 2;
        }
        string claims = new StreamReader(Console.OpenStandardInput(), Encoding.UTF8).ReadToEnd();
        Console.WriteLine(Sign(claims, ReadKey(File.ReadAllText(args[0])), args[1], args[2]));
        return 0;
    }
}
