/** `npm run routes`: method, address, feature and access of every call. */
import { listRoutes, printRoutes } from './route-list.ts'

process.stdout.write(printRoutes(await listRoutes()))
