/** Begins the thread beside with what the process has compiled: to take the types out of its files anew costs tens of megabytes. */
import module from 'node:module'
import { workerData } from 'node:worker_threads'

if (workerData.compiledIn) module.enableCompileCache(workerData.compiledIn)
await import('./beside-thread.ts')
