// Signs a payload of the partner link, to be copied: Delphi XE6 or later, or Free Pascal, with OpenSSL 3 (on Debian libssl-dev).
// SignPayload <private key, PEM> <kid> <address of the receiver>     claims as JSON on standard input, the token on standard output
program SignPayload;
{$APPTYPE CONSOLE}
{$IFDEF FPC}{$MODE DELPHIUNICODE}{$ENDIF}
uses
  {$IFDEF UNIX}cwstring,{$ENDIF} Classes, DateUtils, SysUtils;

const
  {$IFDEF MSWINDOWS}
  // Ship this file beside your program. For 32 bits it is libcrypto-3.dll.
  Crypto = 'libcrypto-3-x64.dll';
  {$ELSE}
  Crypto = 'libcrypto.so.3';
  {$ENDIF}

function BIO_new_mem_buf(Buffer: Pointer; Size: Integer): Pointer; cdecl; external Crypto;
function BIO_free(Bio: Pointer): Integer; cdecl; external Crypto;
function PEM_read_bio_PrivateKey(Bio, Key, Callback, Password: Pointer): Pointer; cdecl; external Crypto;
procedure EVP_PKEY_free(Key: Pointer); cdecl; external Crypto;
function EVP_MD_CTX_new: Pointer; cdecl; external Crypto;
procedure EVP_MD_CTX_free(Context: Pointer); cdecl; external Crypto;
function EVP_sha256: Pointer; cdecl; external Crypto;
function EVP_DigestSignInit(Context, KeyContext, Digest, Engine, Key: Pointer): Integer; cdecl; external Crypto;
function EVP_DigestSign(Context, Signature: Pointer; var Size: NativeUInt; Data: Pointer; DataSize: NativeUInt): Integer; cdecl; external Crypto;

function SignBytes(const Data, Pem: TBytes): TBytes;
var
  Bio, Key, Context: Pointer;
  Size: NativeUInt;
  IsSigned: Boolean;
begin
  Bio := BIO_new_mem_buf(@Pem[0], Length(Pem));
  Key := PEM_read_bio_PrivateKey(Bio, nil, nil, nil);
  BIO_free(Bio);
  if Key = nil then raise Exception.Create('The private key cannot be read.');
  Context := EVP_MD_CTX_new;
  Size := 1024;
  SetLength(Result, Size);
  IsSigned := (EVP_DigestSignInit(Context, nil, EVP_sha256, nil, Key) = 1)
    and (EVP_DigestSign(Context, @Result[0], Size, @Data[0], Length(Data)) = 1);
  EVP_MD_CTX_free(Context);
  EVP_PKEY_free(Key);
  if not IsSigned then raise Exception.Create('The private key cannot sign.');
  SetLength(Result, Size);
end;

function Base64Url(const Data: TBytes): string;
const
  Digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
var
  Each, Buffer, Bits: Integer;
begin
  Result := '';
  Buffer := 0;
  Bits := 0;
  for Each in Data do
  begin
    Buffer := ((Buffer shl 8) or Each) and $FFFF;
    Inc(Bits, 8);
    while Bits >= 6 do
    begin
      Dec(Bits, 6);
      Result := Result + Digits[((Buffer shr Bits) and 63) + 1];
    end;
  end;
  if Bits > 0 then Result := Result + Digits[((Buffer shl (6 - Bits)) and 63) + 1];
end;

// Signs at the click: the token lives a minute and works once. Claims are a JSON object of organizationId, employeeId, contact and
// others, without aud, iat, exp and jti.
function Sign(const Claims: string; const Pem: TBytes; const Kid, Audience: string): string;
var
  IssuedAt: Int64;
  Id: TGUID;
  Own: string;
begin
  IssuedAt := DateTimeToUnix(Now, False);
  CreateGUID(Id);
  Own := Format('{"aud":"%s","iat":%d,"exp":%d,"jti":"%s",', [Audience, IssuedAt, IssuedAt + 60, Copy(GUIDToString(Id), 2, 36)]);
  Result := Base64Url(TEncoding.UTF8.GetBytes('{"alg":"RS256","typ":"JWT","kid":"' + Kid + '"}')) + '.'
    + Base64Url(TEncoding.UTF8.GetBytes(Own + Copy(Trim(Claims), 2, MaxInt)));
  Result := Result + '.' + Base64Url(SignBytes(TEncoding.ASCII.GetBytes(Result), Pem));
end;

function ReadFile(const Path: string): TBytes;
var
  Content: TBytesStream;
begin
  Content := TBytesStream.Create(nil);
  try
    Content.LoadFromFile(Path);
    Result := Copy(Content.Bytes, 0, Content.Size);
  finally
    Content.Free;
  end;
end;

var
  Line, Claims: string;
begin
  {$IFDEF FPC}SetMultiByteConversionCodePage(CP_UTF8);{$ENDIF}
  SetTextCodePage(Input, CP_UTF8);
  if ParamCount <> 3 then
  begin
    Writeln(ErrOutput, 'SignPayload <private key> <kid> <address of the receiver> < claims.json');
    Halt(2);
  end;
  while not Eof(Input) do
  begin
    ReadLn(Input, Line);
    Claims := Claims + Line;
  end;
  Writeln(Sign(Claims, ReadFile(ParamStr(1)), ParamStr(2), ParamStr(3)));
end.
