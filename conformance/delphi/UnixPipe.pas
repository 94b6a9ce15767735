// What ServicePipe.pas needs of Linux, in Free Pascal.
unit UnixPipe;
{$MODE DELPHIUNICODE}
interface

function BaseFolder: string;
function OwnDesktop: string;
function IsPrivate(const Path: string): Boolean;
function IsRunning(Pid: Cardinal): Boolean;
procedure AllowFront(Pid: Cardinal);
function OpenPipe(const Address: string): THandle;
function WaitForPipe(Pipe: THandle; WaitMs: Integer): Boolean;

implementation

uses
  cwstring, BaseUnix, Sockets, SysUtils;

function BaseFolder: string;
begin
  Result := GetEnvironmentVariable('XDG_DATA_HOME');
  if Copy(Result, 1, 1) <> '/' then Result := GetEnvironmentVariable('HOME') + '/.local/share';
end;

// Tells this desktop from the user's others: the display, without its screen.
function OwnDesktop: string;
var
  Dot: Integer;
begin
  Result := GetEnvironmentVariable('DISPLAY');
  Dot := LastDelimiter('.', Result);
  if Dot > LastDelimiter(':', Result) then Result := Copy(Result, 1, Dot - 1);
  if Result = '' then Result := GetEnvironmentVariable('WAYLAND_DISPLAY');
end;

// Only this user can have written it.
function IsPrivate(const Path: string): Boolean;
var
  Found: TStat;
begin
  Result := (fpLStat(UTF8Encode(Path), Found) = 0) and (Found.st_uid = fpGetUid) and (Found.st_mode and &077 = 0);
end;

// A killed wrapper leaves its record.
function IsRunning(Pid: Cardinal): Boolean;
begin
  Result := fpKill(Pid, 0) = 0;
end;

procedure AllowFront(Pid: Cardinal);
begin
end;

function OpenPipe(const Address: string): THandle;
var
  Place: TUnixSockAddr;
  Size: Integer;
begin
  Result := fpSocket(AF_UNIX, SOCK_STREAM, 0);
  Str2UnixSockAddr(UTF8Encode(Address), Place, Size);
  if fpConnect(Result, @Place, SizeOf(Place)) = 0 then Exit;
  fpClose(Result);
  raise EInOutError.Create('Its pipe cannot be opened.');
end;

function WaitForPipe(Pipe: THandle; WaitMs: Integer): Boolean;
var
  Waited: TPollFD;
begin
  Waited.fd := Pipe;
  Waited.events := POLLIN;
  Result := fpPoll(@Waited, 1, WaitMs) <> 0;
end;

end.
