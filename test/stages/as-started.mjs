/** Loaded before test files: they use the bundled dependencies, as `npm start` does. */
import { loadBundledDependencies } from '../../server/cli/dependencies.mjs'

loadBundledDependencies()
