#!/usr/bin/env node
import { defaultBrand } from '@service-link/protocol-core/brand'
import { wrapperVersion } from '../settings/wrapper-folders.ts'
import { runWithParts } from './run-program.ts'

const identity = { brand: defaultBrand, version: wrapperVersion, programName: 'service-webwrapper' }
void runWithParts(identity, async () => (await import('./program-parts.ts')).programParts)
