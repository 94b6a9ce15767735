// One request to the running wrapper, to be copied. It has no time limit: call it on a thread, and wait 35 seconds for it.
program PipeExample;
{$APPTYPE CONSOLE}
uses
  Winapi.Windows, System.SysUtils, System.StrUtils;

const
  // Commands that bring the window to the front.
  Raising: array[0..4] of string = ('show', 'openworkout', 'selectperson', 'queryexercises', 'queryworkouts');

// Windows lets a wrapper in the background come to the front only if the program in front allows it.
function AllowSetForegroundWindow(ProcessId: DWORD): BOOL; stdcall; external 'user32.dll';

function ReadExactly(Pipe: THandle; var Buffer; Count: DWORD): Boolean;
var
  Filled, Got: DWORD;
begin
  Filled := 0;
  while Filled < Count do
  begin
    // Waits without a time limit; fails with ERROR_BROKEN_PIPE when the wrapper has closed the connection.
    if not ReadFile(Pipe, (PByte(@Buffer) + Filled)^, Count - Filled, Got, nil) or (Got = 0) then
      Exit(False);
    Inc(Filled, Got);
  end;
  Result := True;
end;

function Call(Pid: Cardinal; const Method: string; const Args: string = '{}'): string;
var
  Pipe: THandle;
  Name: string;
  Body, Frame, Reply: TBytes;
  Length32: Int32;
  Written: DWORD;
begin
  Name := Format('\\.\pipe\servicepipe.%d', [Pid]);
  repeat
    Pipe := CreateFile(PChar(Name), GENERIC_READ or GENERIC_WRITE, 0, nil, OPEN_EXISTING, 0, 0);
  until (Pipe <> INVALID_HANDLE_VALUE) or (GetLastError <> ERROR_PIPE_BUSY)
    or not WaitNamedPipe(PChar(Name), 5000);
  if Pipe = INVALID_HANDLE_VALUE then
    RaiseLastOSError;
  try
    if MatchStr(Method, Raising) then
      AllowSetForegroundWindow(Pid);
    Body := TEncoding.UTF8.GetBytes(Format('{"Method":"%s","Args":%s}', [Method, Args]));
    Length32 := Length(Body);
    SetLength(Frame, 4 + Length32);
    Move(Length32, Frame[0], 4);
    Move(Body[0], Frame[4], Length32);
    if not WriteFile(Pipe, Frame[0], Length(Frame), Written, nil) then
      RaiseLastOSError;
    if not ReadExactly(Pipe, Length32, 4) then
      Exit('');
    SetLength(Reply, Length32);
    if not ReadExactly(Pipe, Reply[0], Length32) then
      raise Exception.Create('The wrapper closed the connection inside its reply.');
    Result := TEncoding.UTF8.GetString(Reply);
  finally
    CloseHandle(Pipe);
  end;
end;

var
  Pid: Cardinal;
begin
  Pid := StrToInt(ParamStr(1));
  Writeln(Call(Pid, 'version'));
  Writeln(Call(Pid, 'selectperson', '{"customid":"4711","firstname":"Kari","lastname":"Nordmann"}'));
end.
