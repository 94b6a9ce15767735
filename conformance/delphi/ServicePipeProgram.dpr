// ServicePipeProgram list                         the running wrappers
// ServicePipeProgram <command> [key=value ...]      one command; - in place of arguments reads them as JSON from standard input
// ServicePipeProgram subscribe events=<a>,<b>     the next of these events
program ServicePipeProgram;
{$APPTYPE CONSOLE}
{$IFDEF FPC}{$MODE DELPHIUNICODE}{$ENDIF}
uses
  {$IFDEF UNIX}cwstring,{$ENDIF} Classes, SysUtils, JsonText, ServicePipe;

type
  EUsage = class(Exception);

function ReadArgs: string;
var
  Index, Equals: Integer;
  Line, Word, Value: string;
begin
  Result := '';
  if (ParamCount = 2) and (ParamStr(2) = '-') then
  begin
    while not Eof(Input) do
    begin
      ReadLn(Input, Line);
      Result := Result + Line;
    end;
    Exit;
  end;
  for Index := 2 to ParamCount do
  begin
    Word := ParamStr(Index);
    Equals := Pos('=', Word);
    if Equals = 0 then raise EUsage.Create('');
    Value := Quote(Copy(Word, Equals + 1, Length(Word)));
    if Copy(Word, 1, Equals - 1) = 'events' then
      Value := '[' + StringReplace(Value, ',', '","', [rfReplaceAll]) + ']';
    if Result <> '' then Result := Result + ',';
    Result := Result + Quote(Copy(Word, 1, Equals - 1)) + ':' + Value;
  end;
  Result := '{' + Result + '}';
end;

function ListRecords: string;
var
  Records: TStringList;
  Each: string;
begin
  Result := '';
  Records := TStringList.Create;
  try
    ReadRecords(Records);
    for Each in Records do
    begin
      if Result <> '' then Result := Result + ',';
      Result := Result + Format('{"pid":%s,"version":%s,"desktop":%s,"address":%s}',
        [Member(Each, 'pid'), Member(Each, 'version'), Member(Each, 'desktop'), Member(Each, 'address')]);
    end;
  finally
    Records.Free;
  end;
  Result := '[' + Result + ']';
end;

function Run(const Command, Args: string): string;
var
  Pipe: TServicePipe;
begin
  if Command = 'list' then Exit(ListRecords);
  Pipe := TServicePipe.Create(FindRecord);
  try
    if Command = 'hello' then Exit(Pipe.Hello);
    Result := Pipe.Ask(Command, Args);
    if Command = 'subscribe' then Result := Pipe.NextEvent;
  finally
    Pipe.Free;
  end;
end;

begin
  {$IFDEF FPC}SetMultiByteConversionCodePage(CP_UTF8);{$ENDIF}
  SetTextCodePage(Input, CP_UTF8);
  SetTextCodePage(Output, CP_UTF8);
  SetTextCodePage(ErrOutput, CP_UTF8);
  try
    if ParamCount = 0 then raise EUsage.Create('');
    Writeln(Run(ParamStr(1), ReadArgs));
  except
    on Failure: EUsage do
    begin
      Writeln(ErrOutput, 'ServicePipeProgram list | <command> [key=value ... | -] | subscribe events=<a>,<b>');
      ExitCode := 2;
    end;
    on Failure: EWrapper do
    begin
      Writeln(ErrOutput, Failure.Message);
      ExitCode := 4;
    end;
    on Failure: Exception do
    begin
      Writeln(ErrOutput, 'The wrapper was not reached: ' + Failure.Message);
      ExitCode := 3;
    end;
  end;
end.
