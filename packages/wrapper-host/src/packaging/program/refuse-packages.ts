/**
 * Text that goes before a packed program: from then on no module is taken of a package that is not in it, however it is asked for. Node would
 * look for one in the folders above the executable, and on Windows every user may make such a folder in that of the drive. Modules of
 * Node, and files that are named by their place, such as integrators' providers, are loaded as ever.
 */
export const refusePackages = [
  "{const{isBuiltin,registerHooks}=process.getBuiltinModule('node:module');",
  "const{isAbsolute}=process.getBuiltinModule('node:path');",
  'registerHooks({resolve(id,context,next){',
  'if(isBuiltin(id)||isAbsolute(id)||/^(?:file:|data:|\\.\\.?(?:[\\/\\\\]|$))/.test(id))return next(id,context);',
  "const code=context.conditions.includes('import')?'ERR_MODULE_NOT_FOUND':'MODULE_NOT_FOUND';",
  "throw Object.assign(new Error('A packed program has no package '+id+'.'),{code})}})}",
].join('')
