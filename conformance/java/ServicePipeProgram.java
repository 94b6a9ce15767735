// java ServicePipeProgram list                         the running wrappers
// java ServicePipeProgram <command> [key=value ...]      one command; - in place of arguments reads them as JSON from standard input
// java ServicePipeProgram subscribe events=<a>,<b>     the next of these events
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.Stream;

final class ServicePipeProgram {
    private ServicePipeProgram() {}

    static String run(String command, String args) throws Exception {
        if (command.equals("list"))
            return ServicePipe.readRecords().stream().map(record -> Stream.of("pid", "version", "desktop", "address")
                .map(name -> ServicePipe.quote(name) + ":" + ServicePipe.member(record, name)).collect(Collectors.joining(",", "{", "}"))).toList().toString();
        try (var pipe = new ServicePipe(ServicePipe.findRecord())) {
            String result = command.equals("hello") ? pipe.hello : pipe.ask(command, args);
            return command.equals("subscribe") ? pipe.nextEvent() : result;
        }
    }

    /** The arguments of a command line, as JSON; null where it is wrong. */
    static String readArgs(String[] words) throws IOException {
        if (words.length == 2 && words[1].equals("-")) return new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
        var args = new ArrayList<String>();
        for (String word : Arrays.asList(words).subList(Math.min(1, words.length), words.length)) {
            String[] parts = word.split("=", 2);
            if (parts.length < 2) return null;
            String value = ServicePipe.quote(parts[1]);
            args.add(ServicePipe.quote(parts[0]) + ":" + (parts[0].equals("events") ? "[" + value.replace(",", "\",\"") + "]" : value));
        }
        return words.length == 0 ? null : "{" + String.join(",", args) + "}";
    }

    public static void main(String[] words) throws IOException {
        String args = readArgs(words);
        int exitCode = 2;
        if (args == null) System.err.println("java ServicePipeProgram list | <command> [key=value ... | -] | subscribe events=<a>,<b>");
        else try {
            new PrintStream(System.out, true, StandardCharsets.UTF_8).println(run(words[0], args));
            exitCode = 0;
        } catch (ServicePipe.WrapperException refusal) {
            System.err.println(refusal.getMessage());
            exitCode = 4;
        } catch (Exception failure) {
            System.err.println("The wrapper was not reached: " + failure.getMessage());
            exitCode = 3;
        }
        System.exit(exitCode);
    }
}
