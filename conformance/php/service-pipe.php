<?php
// Drives the running wrapper, to be copied: PHP 8.1 or later, with the extension posix on Linux and macOS, FFI on Windows.
const USAGE = <<<'TEXT'
    service-pipe.php list                         the running wrappers
    service-pipe.php <command> [key=value ...]      one command; `-` in place of arguments reads them as JSON from standard input
    service-pipe.php subscribe events=<a>,<b>     the next of these events

    TEXT;
const LIMIT_SECONDS = 35;
// Commands that bring the wrapper's window to the front.
const RAISING = ['show', 'openworkout', 'selectperson', 'queryexercises', 'queryworkouts'];
// The names of the wrapper's maker and of the wrapper. Those of another brand have others.
const VENDOR = 'Service', APPLICATION = 'Service.Client.WebWrapper';
const IS_WINDOWS = PHP_OS_FAMILY === 'Windows';

/** The wrapper did not do what it was asked: its stable code, and a sentence. */
class WrapperError extends Exception {}

/** The record of this desktop's wrapper, or else of one without a desktop. */
function findRecord(): object
{
    $own = ownDesktop();
    $records = readRecords();
    $found = array_filter($records, fn($record) => $record->desktop === $own)
        ?: array_filter($records, fn($record) => $own === '' || $record->desktop === '');
    if (count($found) === 1) return reset($found);
    throw new RuntimeException(($found ? 'More than one wrapper' : 'No wrapper') . ' runs on this desktop.');
}

/** The records of running wrappers. Each holds a secret: never print it. */
function readRecords(): array
{
    $folder = userFolder() . '/run';
    if (!is_dir($folder)) return [];
    checkPrivate(lstat($folder));
    $records = [];
    foreach (preg_grep('/\.json$/', scandir($folder)) as $name) {
        $file = fopen("$folder/$name", 'rb');
        checkPrivate(fstat($file));
        $records[] = decode(stream_get_contents($file));
    }
    // A killed wrapper leaves its record.
    return array_filter($records, fn($record) => IS_WINDOWS || posix_kill($record->pid, 0));
}

/** The folder in which the wrapper keeps what belongs to this user. */
function userFolder(): string
{
    $data = (string) getenv('XDG_DATA_HOME');
    $base = match (PHP_OS_FAMILY) {
        'Windows' => getenv('LOCALAPPDATA'),
        'Darwin' => getenv('HOME') . '/Library/Application Support',
        default => str_starts_with($data, '/') ? $data : getenv('HOME') . '/.local/share',
    };
    return getenv('SERVICE_WRAPPER_DATA') ?: "$base/" . VENDOR . '/' . APPLICATION;
}

/** Linux and macOS: only this user can have written it. Windows protects the folders of a user itself. */
function checkPrivate(array $found): void
{
    if (IS_WINDOWS || ($found['uid'] === posix_getuid() && ($found['mode'] & 0o77) === 0)) return;
    throw new RuntimeException('The record is not only for this user.');
}

/** Tells this desktop from the user's others; empty without one. */
function ownDesktop(): string
{
    if (PHP_OS_FAMILY === 'Darwin') return '';
    if (!IS_WINDOWS)
        return preg_replace('/(:\d+)\.\d+$/', '$1', (string) getenv('DISPLAY')) ?: (string) getenv('WAYLAND_DISPLAY');
    $session = FFI::new('uint32_t');
    FFI::cdef('int ProcessIdToSessionId(uint32_t process, void *session);', 'kernel32.dll')
        ->ProcessIdToSessionId(getmypid(), FFI::addr($session));
    return $session->cdata === 0 ? '' : (string) $session->cdata; // services are in session 0, which has no desktop
}

// #region connection
/** A connection to the wrapper of a record, for one request after the other, and for events. */
class Session
{
    public readonly object $hello;
    private $pipe;
    private array $events = [];
    private int $id = 0;

    /** The wrapper proves that it holds the key of its record. Nothing more is sent to anybody else. */
    public function __construct(object $record)
    {
        $pipe = IS_WINDOWS ? @fopen($record->address, 'r+b') : @stream_socket_client("unix://$record->address");
        $this->pipe = $pipe ?: throw new RuntimeException('Its pipe cannot be opened.');
        $this->write(['ask' => $record->key->ask]);
        if (($this->read(LIMIT_SECONDS)->answer ?? null) !== $record->key->answer)
            throw new RuntimeException('This is not the wrapper of the record. Tell your administrator.');
        $this->hello = $this->ask('hello');
    }

    /** The result of a command: null, text, a list or an object. */
    public function ask(string $method, array $args = []): mixed
    {
        if (IS_WINDOWS && in_array($method, RAISING, true)) {
            // Only the program in front can let the wrapper come to the front. The last allowance counts.
            $user = FFI::cdef('int AllowSetForegroundWindow(uint32_t process);', 'user32.dll');
            $user->AllowSetForegroundWindow($this->hello->browserpid ?? $this->hello->pid);
            $user->AllowSetForegroundWindow($this->hello->pid);
        }
        $this->write(['Id' => ++$this->id, 'Method' => $method, 'Args' => (object) $args]);
        while (isset(($message = $this->read(LIMIT_SECONDS))->Event)) $this->events[] = $message;
        if (isset($message->Error)) throw new WrapperError("{$message->Error->Code}: {$message->Error->Message}");
        return $message->Result;
    }

    /** Waits for an event that `subscribe` named. */
    public function nextEvent(int $limitSeconds = 86400): object
    {
        return array_shift($this->events) ?? $this->read($limitSeconds);
    }
    // #endregion connection

    private function write(array $message): void
    {
        $body = encode($message);
        $frame = pack('V', strlen($body)) . $body;
        for (; $frame !== ''; $frame = substr($frame, $count))
            $count = @fwrite($this->pipe, $frame) ?: throw new RuntimeException('The wrapper has ended the connection.');
    }

    private function read(int $limitSeconds): object
    {
        // PHP on Windows has no limit for a pipe.
        if (!IS_WINDOWS) stream_set_timeout($this->pipe, $limitSeconds);
        $length = unpack('V', $this->readExactly(4))[1];
        if ($length < 1 || $length > 16 * 1024 * 1024) throw new RuntimeException('The reply is no frame.');
        return decode($this->readExactly($length));
    }

    private function readExactly(int $count): string
    {
        for ($data = ''; strlen($data) < $count; $data .= $part) {
            $part = fread($this->pipe, $count - strlen($data));
            if (stream_get_meta_data($this->pipe)['timed_out'])
                throw new RuntimeException('The wrapper did not answer in time. It may have done what was asked.');
            if ($part === '' || $part === false) throw new RuntimeException('The wrapper has ended the connection.');
        }
        return $data;
    }
}

function encode(mixed $value): string
{
    return json_encode($value, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR);
}

function decode(string $json): mixed
{
    return json_decode($json, flags: JSON_THROW_ON_ERROR);
}

/** The arguments of the command line; null where it is wrong. */
function readArgs(string $command, array $words): ?array
{
    if ($words === ['-']) return ((array) json_decode(stream_get_contents(STDIN))) ?: null;
    $args = [];
    foreach ($words as $word) {
        if (!str_contains($word, '=')) return null;
        [$name, $args[$name]] = explode('=', $word, 2);
    }
    if ($command === 'subscribe') $args['events'] = explode(',', $args['events'] ?? '');
    return $command === '' ? null : $args;
}

function run(string $command, array $args): mixed
{
    $public = ['pid' => 1, 'version' => 1, 'desktop' => 1, 'address' => 1];
    if ($command === 'list')
        return array_map(fn($record) => array_intersect_key((array) $record, $public), array_values(readRecords()));
    $session = new Session(findRecord());
    $result = $command === 'hello' ? $session->hello : $session->ask($command, $args);
    return $command === 'subscribe' ? $session->nextEvent() : $result;
}

function main(string $command = '', string ...$words): int
{
    $args = readArgs($command, $words);
    try {
        if ($args !== null) echo encode(run($command, $args)), "\n";
        else fwrite(STDERR, USAGE);
        return $args !== null ? 0 : 2;
    } catch (WrapperError $failure) {
        fwrite(STDERR, "{$failure->getMessage()}\n");
        return 4;
    } catch (Exception $failure) {
        fwrite(STDERR, "The wrapper was not reached: {$failure->getMessage()}\n");
        return 3;
    }
}

if (realpath($argv[0] ?? '') === __FILE__) exit(main(...array_slice($argv, 1)));
