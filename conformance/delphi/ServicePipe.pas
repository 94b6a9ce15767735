// Drives the running wrapper, to be copied with WindowsPipe.pas and JsonText.pas: Delphi 2009 or later, without a library. JSON goes in
// and comes out as text. Free Pascal compiles it for Linux with UnixPipe.pas. ServicePipeProgram.dpr calls it from a command line.
unit ServicePipe;
{$IFDEF FPC}{$MODE DELPHIUNICODE}{$ENDIF}
interface

uses
  {$IFDEF MSWINDOWS}WindowsPipe{$ELSE}UnixPipe{$ENDIF}, JsonText, Classes, StrUtils, SysUtils;

type
  // The wrapper did not do what it was asked: its stable code, and a sentence.
  EWrapper = class(Exception);

  // A connection to the wrapper of a record, for one request after the other, and for events.
  TServicePipe = class
  private
    FPipe: THandleStream;
    FEvents: TStringList;
    FId: Integer;
    procedure Write(const Json: string);
    function Read(WaitMs: Integer): string;
    function ReadExactly(Count, WaitMs: Integer): TBytes;
  public
    Hello: string; // the answer to hello, as JSON
    constructor Create(const Found: string);
    destructor Destroy; override;
    function Ask(const Method: string; const Args: string = '{}'): string; // the result of a command, as JSON
    function NextEvent: string; // waits for an event that subscribe named, without a limit: {"Event": ..., "Data": ...}
  end;

function FindRecord: string;
procedure ReadRecords(Records: TStrings);

implementation

const
  LimitMs = 35000;
  // The names of the wrapper's maker and of the wrapper. Those of another brand have others.
  Vendor = 'Service';
  Application = 'Service.Client.WebWrapper';
  // Commands that bring the window to the front.
  Raising: array[0..4] of string = ('show', 'openworkout', 'selectperson', 'queryexercises', 'queryworkouts');

// The records of running wrappers, as JSON. Each holds a secret: never print it.
procedure ReadRecords(Records: TStrings);
var
  Folder, Name, Json: string;
  Found: TSearchRec;
  Content: TStringStream;
begin
  Folder := GetEnvironmentVariable('SERVICE_WRAPPER_DATA');
  if Folder = '' then Folder := BaseFolder + PathDelim + Vendor + PathDelim + Application;
  Folder := Folder + PathDelim + 'run' + PathDelim;
  if FindFirst(Folder + '*.json', faAnyFile, Found) <> 0 then Exit;
  repeat
    Name := Folder + Found.Name;
    if not IsPrivate(Folder + '.') or not IsPrivate(Name) then raise EInOutError.Create('The record is not only for this user.');
    Content := TStringStream.Create('', TEncoding.UTF8);
    try
      Content.LoadFromFile(Name);
      Json := Content.DataString;
    finally
      Content.Free;
    end;
    if IsRunning(StrToInt(Member(Json, 'pid'))) then Records.Add(Json);
  until FindNext(Found) <> 0;
  FindClose(Found);
end;

// The record of this desktop's wrapper, or else of one without a desktop, as JSON.
function FindRecord: string;
var
  Records: TStringList;
  Found, Own, Each: string;
  Count: Integer;

  procedure Look(const Desktop: string; IsAny: Boolean);
  begin
    for Each in Records do
      if IsAny or (Unquote(Member(Each, 'desktop')) = Desktop) then
      begin
        Found := Each;
        Inc(Count);
      end;
  end;

begin
  Records := TStringList.Create;
  try
    ReadRecords(Records);
    Own := OwnDesktop;
    Count := 0;
    Look(Own, False);
    if Count = 0 then Look('', Own = '');
  finally
    Records.Free;
  end;
  if Count <> 1 then
    raise EInOutError.Create(IfThen(Count = 0, 'No wrapper', 'More than one wrapper') + ' runs on this desktop.');
  Result := Found;
end;

// #region connection
// The wrapper proves that it holds the key of its record. Nothing more is sent to anybody else.
constructor TServicePipe.Create(const Found: string);
var
  Key: string;
begin
  FEvents := TStringList.Create;
  FPipe := THandleStream.Create(OpenPipe(Unquote(Member(Found, 'address'))));
  Key := Member(Found, 'key');
  Write('{"ask":' + Member(Key, 'ask') + '}');
  if Member(Read(LimitMs), 'answer') <> Member(Key, 'answer') then
    raise EInOutError.Create('This is not the wrapper of the record. Tell your administrator.');
  Hello := Ask('hello');
end;

destructor TServicePipe.Destroy;
begin
  if FPipe <> nil then FileClose(FPipe.Handle);
  FPipe.Free;
  FEvents.Free;
  inherited;
end;

function TServicePipe.Ask(const Method, Args: string): string;
var
  Message, Error: string;
begin
  if MatchStr(Method, Raising) then
  begin
    AllowFront(StrToIntDef(Member(Hello, 'browserpid'), 0));
    AllowFront(StrToInt(Member(Hello, 'pid'))); // the last allowance counts
  end;
  Inc(FId);
  Write(Format('{"Id":%d,"Method":%s,"Args":%s}', [FId, Quote(Method), Args]));
  Message := Read(LimitMs);
  while Member(Message, 'Event') <> '' do
  begin
    FEvents.Add(Message);
    Message := Read(LimitMs);
  end;
  Error := Member(Message, 'Error');
  if Error <> '' then raise EWrapper.Create(Unquote(Member(Error, 'Code')) + ': ' + Unquote(Member(Error, 'Message')));
  Result := Member(Message, 'Result');
end;

function TServicePipe.NextEvent: string;
begin
  if FEvents.Count = 0 then Exit(Read(-1));
  Result := FEvents[0];
  FEvents.Delete(0);
end;
// #endregion connection

procedure TServicePipe.Write(const Json: string);
var
  Body: TBytes;
  Size: Integer;
begin
  Body := TEncoding.UTF8.GetBytes(Json);
  Size := Length(Body); // little-endian, as the processors of Windows are
  FPipe.WriteBuffer(Size, 4);
  FPipe.WriteBuffer(Body[0], Size);
end;

function TServicePipe.Read(WaitMs: Integer): string;
var
  Header: TBytes;
  Size: Integer;
begin
  Header := ReadExactly(4, WaitMs);
  Move(Header[0], Size, 4);
  if (Size < 1) or (Size > 16 * 1024 * 1024) then raise EInOutError.Create('The reply is no frame.');
  Result := TEncoding.UTF8.GetString(ReadExactly(Size, LimitMs));
end;

function TServicePipe.ReadExactly(Count, WaitMs: Integer): TBytes;
var
  Filled, Got: Integer;
begin
  SetLength(Result, Count);
  Filled := 0;
  while Filled < Count do
  begin
    if not WaitForPipe(FPipe.Handle, WaitMs) then
      raise EInOutError.Create('The wrapper did not answer in time. It may have done what was asked.');
    Got := FPipe.Read(Result[Filled], Count - Filled);
    if Got <= 0 then raise EInOutError.Create('The wrapper has ended the connection.');
    Inc(Filled, Got);
  end;
end;

end.
