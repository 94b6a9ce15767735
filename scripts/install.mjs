// Installs what every part of `.ci/run` needs, so that the parts can begin at the same time. pnpm has installed the workspace by now.
import { ensureSystemPackages, neededByTests, neededByWindows } from './system-packages.mjs'

ensureSystemPackages([...neededByTests, ...neededByWindows])
