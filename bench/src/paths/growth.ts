import { encodeFrame, FrameDecoder, parseCommand } from '@service-link/protocol-core'
import { measureSizes, type Size } from '../measure/sizes.ts'
import type { MeasuredPath } from '../report.ts'

/** Small chunks, so that a frame arrives in many. */
const chunkBytes = 1024

/** The cost per unit of input must not depend on the size of the input. */
export const growthPath: MeasuredPath = {
  name: 'growth',
  title: 'Three sizes of frames and of profile data',
  async measure() {
    return {
      rows: [
        ...(await measureSizes('copy', [frame(4), frame(32), frame(256)])),
        ...(await measureSizes('structuredClone', [person(10), person(100), person(1000)])),
      ],
    }
  },
}

/** A frame, encoded and reassembled from chunks. Floor: its text, written and copied in existing memory. */
function frame(kibibytes: number): Size {
  const text = 'x'.repeat(kibibytes * 1024)
  const [first, second] = [Buffer.alloc(text.length), Buffer.alloc(text.length)]
  return {
    name: `frame of ${kibibytes.toLocaleString('en')} KiB`,
    floor: () => {
      first.write(text)
      first.copy(second)
    },
    ours: () => {
      const decoder = new FrameDecoder({ maxFrameBytes: text.length })
      const bytes = encodeFrame(text)
      for (let at = 0; at < bytes.length; at += chunkBytes) decoder.push(bytes.subarray(at, at + chunkBytes))
      decoder.end()
    },
  }
}

/** The arguments of `selectperson` with profile data, parsed and checked. Floor: the same value, copied. */
function person(entryCount: number): Size {
  const profiledata = Array.from({ length: entryCount }, (_, index) => ({
    key: `measure_${index}`,
    name: 'Measure',
    value: '12.5',
    unit: 'kg',
    date: '2016-06-01 10:00',
    source: 'Journal',
    customkey: 'kept',
  }))
  const args = { customid: 'p', firstname: 'Ada', lastname: 'Lovelace', profiledata }
  return {
    name: `${entryCount.toLocaleString('en')} profile entries`,
    floor: () => structuredClone(args),
    ours: () => parseCommand('selectperson', args, { culture: 'nb-NO' }),
  }
}
