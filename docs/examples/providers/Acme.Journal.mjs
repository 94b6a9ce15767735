// @ts-check
// A provider for the journal "Acme". The journal starts the wrapper with the path of a .jrn file, or a browser starts it
// with an address acme://… Copy this file to the folder `providers` of the application root. It needs only Node.
import { lstat, open, rm } from 'node:fs/promises'
import { resolve } from 'node:path'

/** @typedef {import('@service-link/wrapper-host').ProviderInput} ProviderInput */
/** @typedef {import('@service-link/wrapper-host').ProvidedCommands} ProvidedCommands */

/**
 * Loaded for the type name "Acme.Journal.Component, Acme.Journal": this file's name, and the export's name after it. A type
 * with more parts is exported by its whole name: `export { other as 'Acme.Journal.Legacy.Component' }`.
 */
export const Component = {
  /**
   * @param {ProviderInput} input
   * @returns {Promise<ProvidedCommands>}
   */
  async provide(input) {
    const { words, xmlFile, payload, hasCommands } = input.arguments
    // A provider must refuse input that it does not use, or the loss goes unnoticed.
    if (xmlFile !== undefined || payload !== undefined || hasCommands)
      throw input.refusal('The launch brings what is for another provider.')
    const [word] = words
    if (word === undefined) return { commands: [] }
    if (words.length > 1) throw input.refusal('A launch opens one journal file or one address acme:.')
    if (/^acme:/i.test(word)) return readAddress(word, input)
    if (/\.jrn$/i.test(word)) return readJournalFile(word, input)
    throw input.refusal('The launch brings neither a journal file (.jrn) nor an address acme:.')
  },
}

/**
 * `acme://exercises?text=knee`. Any web page may open this address, so it selects no person.
 *
 * @param {string} address
 * @param {ProviderInput} input
 * @returns {ProvidedCommands}
 */
function readAddress(address, { refusal }) {
  const url = URL.parse(address)
  const text = url?.searchParams.get('text')?.trim()
  if (url?.host !== 'exercises' || !text)
    throw refusal('The address is not written acme://exercises?text=<words>.')
  return { commands: [{ name: 'queryexercises', args: { text } }] }
}

const maxFileBytes = 64 * 1024

/**
 * A file with one `Name=value` per line: `PatientNo`, `GivenName`, `FamilyName`, `Born` (YYYY-MM-DD) and optionally
 * `Exercises`. It is deleted once the web app has the patient in focus.
 *
 * @param {string} path
 * @param {ProviderInput} input
 * @returns {Promise<ProvidedCommands>}
 */
async function readJournalFile(path, { launch, refusal, signal }) {
  // Relative to the working directory of the launch, not to the wrapper's.
  const file = resolve(launch.workingDirectory, path)
  const fields = readFields(await readSmallFile(file, refusal))
  signal?.throwIfAborted()
  const { patientno: customId, givenname: firstname, familyname: lastname, born, exercises } = fields
  // Field names only, never their values: the log keeps this sentence.
  if (!customId || !firstname || !lastname)
    throw refusal('The journal file lacks PatientNo, GivenName or FamilyName.')
  if (born && !/^\d{4}-\d\d-\d\d$/.test(born)) throw refusal('Born in the journal file is not YYYY-MM-DD.')
  const person = { customId, firstname, lastname, ...(born ? { dateOfBirth: born } : {}) }
  return {
    commands: [
      { name: 'selectperson', args: person },
      ...(exercises ? [{ name: /** @type {const} */ ('queryexercises'), args: { text: exercises } }] : []),
    ],
    taken: () => rm(file, { force: true }),
  }
}

/**
 * @param {string} file
 * @param {ProviderInput['refusal']} refusal
 */
async function readSmallFile(file, refusal) {
  try {
    // Opening a pipe or a device could wait forever.
    if (!(await lstat(file)).isFile()) throw refusal('The journal file is not a file.')
    const handle = await open(file, 'r')
    try {
      const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(maxFileBytes + 1), position: 0 })
      if (bytesRead > maxFileBytes) throw refusal(`The journal file is larger than ${maxFileBytes} bytes.`)
      return new TextDecoder('utf-8', { fatal: true }).decode(buffer.subarray(0, bytesRead))
    } finally {
      await handle.close()
    }
  } catch (error) {
    // The code of Node's or the decoder's error, or of a refusal.
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (code === 'ERR_PROVIDER_REFUSED') throw error
    throw refusal('The journal file is not there, cannot be read, or is not UTF-8.')
  }
}

/**
 * @param {string} text
 * @returns {Readonly<Record<string, string>>} value by name in lower case
 */
function readFields(text) {
  const fields = text
    .split(/\r?\n/)
    .map(line => /^\s*([A-Za-z]+)\s*=(.*)$/.exec(line))
    .map(match => /** @type {const} */ ([match?.[1]?.toLowerCase() ?? '', match?.[2]?.trim() ?? '']))
  return Object.fromEntries(fields)
}
