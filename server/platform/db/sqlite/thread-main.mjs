/** Starts the thread with the process's compile cache: stripping types again would take tens of megabytes. */
import module from 'node:module'
import { workerData } from 'node:worker_threads'

if (workerData.compiledIn) module.enableCompileCache(workerData.compiledIn)
await import('./thread-main.ts')
