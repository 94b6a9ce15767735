/**
 * Lets a packed program load modules of Node, and files whose digest the executable holds. The packer writes its text in front of the
 * program, so it uses nothing of this module.
 *
 * - Packages: Node would search the folders above the executable, and on Windows every user may make one in the root of the drive.
 * - Files: a provider, and all that it imports, is run as it was packed, wherever the executable lies and whoever may write there.
 * - Compiled code: `NODE_COMPILE_CACHE` names a folder from which Node would take it by a checksum of the text. A remark that nobody can
 *   foresee keeps each checksum from fitting.
 *
 * @param pinsAsset name of the asset with the digests
 */
export function guardModules(pinsAsset: string): void {
  const { isBuiltin, registerHooks } = process.getBuiltinModule('node:module')
  const { isAbsolute } = process.getBuiltinModule('node:path')
  const { createHash, randomUUID } = process.getBuiltinModule('node:crypto')
  const { readFileSync } = process.getBuiltinModule('node:fs')
  const { getAsset } = process.getBuiltinModule('node:sea')
  const refusal = (sentence: string, code: string) => Object.assign(new Error(sentence), { code })
  registerHooks({
    resolve(id, context, next) {
      if (isBuiltin(id) || isAbsolute(id) || /^(?:file:|data:|\.\.?(?:[\\/]|$))/.test(id))
        return next(id, context)
      const code = context.conditions.includes('import') ? 'ERR_MODULE_NOT_FOUND' : 'MODULE_NOT_FOUND'
      throw refusal(`A packed program has no package ${id}.`, code)
    },
    load(url, context, next) {
      if (!url.startsWith('file:')) return next(url, context)
      const loaded = next(url, context)
      const source = Buffer.from((loaded.source ?? readFileSync(new URL(url))) as Uint8Array)
      const digest = createHash('sha256').update(source).digest('hex')
      const pins: Readonly<Record<string, string>> = JSON.parse(getAsset(pinsAsset, 'utf8'))
      if (loaded.format === 'addon' || !Object.values(pins).includes(digest))
        throw refusal(
          'A packed program loads the files only that were packed with it.',
          'ERR_MODULE_NOT_PACKED',
        )
      const isScript = loaded.format === 'module' || loaded.format === 'commonjs'
      const remark = isScript ? Buffer.from(`\n//${randomUUID()}`) : Buffer.alloc(0)
      return { ...loaded, source: Buffer.concat([source, remark]), shortCircuit: true }
    },
  })
}
