"""A test of a journal against a wrapper in memory: python3 -m unittest test_journal, beside service_pipe.py."""
import json
import os
import shlex
import subprocess
import unittest

import service_pipe

# Installed by npm, unless the variable has the command of another one, such as your packed executable.
INSTALLED = "node node_modules/@service-link/wrapper-host/dist/cli/service-webwrapper.cjs"
WRAPPER = shlex.split(os.environ.get("SERVICE_WEBWRAPPER", INSTALLED))


class JournalTest(unittest.TestCase):
    def setUp(self):
        self.wrapper = subprocess.Popen(
            WRAPPER + ["test", "--signed-out"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8")
        first = self.wrapper.stdout.readline()
        if not first:  # Node is too old, or the file is not there: it says so
            self.fail("The wrapper did not start: " + self.wrapper.communicate()[1].strip())
        where = json.loads(first)
        # The program under test finds it by this variable, as this one does.
        os.environ["SERVICE_WRAPPER_DATA"] = where["userFolder"]
        self.session = service_pipe.Session(service_pipe.find_record())

    def tearDown(self):
        self.session.close()
        os.environ.pop("SERVICE_WRAPPER_DATA")
        self.wrapper.communicate()  # it ends with its standard input
        self.assertEqual(self.wrapper.returncode, 0)

    def ask(self, command):
        self.wrapper.stdin.write(command + "\n")
        self.wrapper.stdin.flush()
        return json.loads(self.wrapper.stdout.readline())

    def test_the_patient_is_put_in_focus(self):
        self.ask("signin")
        person = {"customid": "4711", "firstname": "Kåre", "lastname": "Nordmann"}
        reply = self.session.ask("selectperson", person)
        self.assertEqual(reply["status"], "created")
        call = self.ask("next")
        self.assertEqual(call["handler"], "selectPerson")
        self.assertEqual(call["args"], {"customId": "4711", "firstname": "Kåre", "lastname": "Nordmann"})

    def test_nobody_is_created_without_a_name(self):
        self.ask("signin")
        with self.assertRaises(service_pipe.WrapperError) as refusal:
            self.session.ask("selectperson", {"customid": "4711"})
        self.assertEqual(refusal.exception.args[0], "ERR_ARGS")
        self.assertEqual(self.ask("calls"), [])


if __name__ == "__main__":
    unittest.main()
