import { defaultBrand } from '@service-link/protocol-core'
import { listen } from '../http-server/listen.ts'

interface CreateUpdateSiteOptions {
  /** The newest version that it offers, four parts. */
  readonly version: string
}

/** The site of the wrapper's installers that runs. */
export interface UpdateSite extends AsyncDisposable {
  /** The wrapper's setting `UpdateUrl`. */
  readonly url: string
  /** Where the installer of the newest version would be. */
  readonly installerUrl: string
}

/** Starts a site as the wrapper's update check asks it: it says which version is the newest, but has no installer of it. */
export async function createUpdateSite({ version }: CreateUpdateSiteOptions): Promise<UpdateSite> {
  const listening = await listen({ host: '127.0.0.1', port: 0 })
  const installer = `/msi/${defaultBrand.application}.${version}.msi`
  listening.answer(request => {
    const { pathname } = new URL(request.url)
    if (pathname === '/msi/version.txt') return new Response(`${version}\n`)
    if (pathname === installer) return new Response(`The installer of version ${version} would be here.\n`)
    return new Response('There is nothing at this address.\n', { status: 404 })
  })
  const url = `http://127.0.0.1:${listening.port}`
  return { url, installerUrl: url + installer, [Symbol.asyncDispose]: () => listening.close() }
}
