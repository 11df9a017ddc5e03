/** Loaded before a test file: it gets the dependencies as `npm start` does. */
import { loadBundledDependencies } from '../../server/cli/dependencies.mjs'

loadBundledDependencies()
