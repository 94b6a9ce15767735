// Measures one path for `main.ts`, in a process that loads no other. Arguments: the path's file in `paths/`, and its export.
import type { MeasuredPath } from './report.ts'

const [file, name = ''] = process.argv.slice(2)
const paths: Record<string, MeasuredPath> = await import(`./paths/${file}.ts`)
process.send?.(await paths[name]?.measure())
