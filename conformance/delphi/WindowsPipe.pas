// What ServicePipe.pas needs of Windows.
unit WindowsPipe;
{$IFDEF FPC}{$MODE DELPHIUNICODE}{$ENDIF}
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
  Windows, StrUtils, SysUtils;

function AllowSetForegroundWindow(ProcessId: DWORD): BOOL; stdcall; external 'user32.dll';
function ProcessIdToSessionId(ProcessId: DWORD; var Session: DWORD): BOOL; stdcall; external 'kernel32.dll';

function BaseFolder: string;
begin
  Result := SysUtils.GetEnvironmentVariable('LOCALAPPDATA');
end;

// Tells this desktop from the user's others. Services are in session 0, which has none.
function OwnDesktop: string;
var
  Session: DWORD;
begin
  if not ProcessIdToSessionId(GetCurrentProcessId, Session) then RaiseLastOSError;
  Result := IfThen(Session = 0, '', IntToStr(Session));
end;

// Windows protects the folders of a user itself. The pipe of a wrapper that has ended cannot be opened.
function IsPrivate(const Path: string): Boolean;
begin
  Result := True;
end;

function IsRunning(Pid: Cardinal): Boolean;
begin
  Result := True;
end;

// Only the program in front can let the wrapper come to the front.
procedure AllowFront(Pid: Cardinal);
begin
  if Pid <> 0 then AllowSetForegroundWindow(Pid);
end;

function OpenPipe(const Address: string): THandle;
begin
  Result := CreateFileW(PWideChar(Address), GENERIC_READ or GENERIC_WRITE, 0, nil, OPEN_EXISTING, 0, 0);
  if Result = INVALID_HANDLE_VALUE then RaiseLastOSError;
end;

// Waits until there is something to read, or the end; below zero without a limit. False when the time is over.
function WaitForPipe(Pipe: THandle; WaitMs: Integer): Boolean;
var
  Available: DWORD;
begin
  Available := 0;
  while PeekNamedPipe(Pipe, nil, 0, nil, @Available, nil) and (Available = 0) and (WaitMs <> 0) do
  begin
    Sleep(5);
    if WaitMs > 0 then WaitMs := WaitMs - 5;
  end;
  Result := WaitMs <> 0;
end;

end.
