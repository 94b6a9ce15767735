// The little of JSON that ServicePipe.pas reads and writes. Use the JSON library that you have in its place.
unit JsonText;
{$IFDEF FPC}{$MODE DELPHIUNICODE}{$ENDIF}
interface

function Quote(const Value: string): string;
function Unquote(const Json: string): string;
function Member(const Json, Name: string): string;

implementation

uses
  SysUtils;

// A text as JSON.
function Quote(const Value: string): string;
var
  Each: Char;
begin
  Result := '"';
  for Each in Value do
    if (Each < ' ') or (Each = '"') or (Each = '\') then Result := Result + '\u' + IntToHex(Ord(Each), 4)
    else Result := Result + Each;
  Result := Result + '"';
end;

// A text of JSON as it reads.
function Unquote(const Json: string): string;
var
  At: Integer;
begin
  Result := '';
  At := 2;
  while At < Length(Json) do
  begin
    if Json[At] <> '\' then Result := Result + Json[At]
    else
    begin
      Inc(At);
      if Json[At] = 'n' then Result := Result + #10
      else if Json[At] <> 'u' then Result := Result + Json[At]
      else
      begin
        Result := Result + Char(StrToInt('$' + Copy(Json, At + 1, 4)));
        Inc(At, 4);
      end;
    end;
    Inc(At);
  end;
end;

// The JSON of a member of a JSON object; empty if it is missing.
function Member(const Json, Name: string): string;
var
  At, Start, Depth: Integer;
  Key: string;
begin
  Depth := 0;
  Start := 1;
  At := 1;
  while At <= Length(Json) do
  begin
    case Json[At] of
      '"':
        repeat
          Inc(At, 1 + Ord(Json[At] = '\'));
        until (At >= Length(Json)) or (Json[At] = '"');
      '{', '[':
        begin
          Inc(Depth);
          if Depth = 1 then Start := At + 1;
        end;
      ':':
        if Depth = 1 then
        begin
          Key := Trim(Copy(Json, Start, At - Start));
          Start := At + 1;
        end;
      ',', '}', ']':
        begin
          if (Depth = 1) and (Key = Quote(Name)) then Exit(Trim(Copy(Json, Start, At - Start)));
          if Depth = 1 then Start := At + 1;
          if Json[At] <> ',' then Dec(Depth);
        end;
    end;
    Inc(At);
  end;
  Result := '';
end;

end.
