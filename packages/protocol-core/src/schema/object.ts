import * as z from 'zod/mini'
import { ZodMiniObject } from 'zod/mini'
// By name: a bundler keeps all of zod for `z.core`.
import { $constructor, $ZodObjectJIT } from 'zod/v4/core'

/** Pages do not compile: where a policy forbids it, the mere attempt is reported. Node does, unless zod's `jitless` is set. */
const compiles = typeof process === 'object' && process.versions?.node !== undefined

/**
 * An object of zod/mini that zod's core compiles on its first use. `z.compile` would gain more, for 35 kB in each bundle and a second
 * reading of what is refused.
 */
const CompiledObject: $constructor<ZodMiniObject> = $constructor('CompiledObject', (schema, definition) => {
  if (compiles) $ZodObjectJIT.init(schema, definition)
  ZodMiniObject.init(schema, definition)
})

type Shaped<Shape extends z.core.$ZodLooseShape, Config extends z.core.$ZodObjectConfig> = z.ZodMiniObject<
  z.core.util.Writeable<Shape>,
  Config
>

interface ObjectOptions {
  /** Returns the message for a value that is no object. Default: of whoever reads by the schema. */
  readonly error?: z.core.$ZodErrorMap<z.core.$ZodIssueInvalidType>
}

/** `z.object`, compiled. Leaves out members that the shape does not have. */
export function object<Shape extends z.core.$ZodLooseShape>(shape: Shape, options?: ObjectOptions) {
  return make<Shaped<Shape, z.core.$strip>>({ shape, ...options })
}

/** `z.looseObject`, compiled. Keeps members that the shape does not have. */
export function looseObject<Shape extends z.core.$ZodLooseShape>(shape: Shape, options?: ObjectOptions) {
  return make<Shaped<Shape, z.core.$loose>>({ shape, catchall: z.unknown(), ...options })
}

/** `z.strictObject`, compiled. Refuses members that the shape does not have. */
export function strictObject<Shape extends z.core.$ZodLooseShape>(shape: Shape, options?: ObjectOptions) {
  return make<Shaped<Shape, z.core.$strict>>({ shape, catchall: z.never(), ...options })
}

function make<Schema extends z.ZodMiniObject<z.core.$ZodShape, z.core.$ZodObjectConfig>>(
  definition: Omit<z.core.$ZodObjectDef, 'type'>,
): Schema {
  return new CompiledObject({ type: 'object', ...definition }) as unknown as Schema
}
