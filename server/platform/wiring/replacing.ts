import type { EndpointMap } from '#shared/kernel/contract.ts'
import type { Contributions, Services } from './feature.ts'

type Contracts = Readonly<Record<string, EndpointMap>>

/**
 * The services and contracts with the calls that features answer instead of others.
 * @throws if a replaced call does not exist, or two features replace it
 */
export function replaceCalls(
  own: Services,
  declared: Contracts,
  contributions: readonly Contributions[],
): { services: Services; contracts: Contracts } {
  const replacements = contributions.flatMap(one => one.replaces?.(own) ?? [])
  if (!replacements.length) return { services: own, contracts: declared }
  const services: Record<string, Record<string, unknown>> = {}
  const contracts: Record<string, EndpointMap> = { ...declared }
  for (const { service, name, endpoint, run } of replacements) {
    if (!declared[service]?.[name]) throw new Error(`There is no call "${service}.${name}" to replace`)
    if (services[service]?.[name]) throw new Error(`Two features replace "${service}.${name}"`)
    services[service] = { ...services[service], [name]: run }
    contracts[service] = { ...contracts[service], [name]: endpoint }
  }
  const replaced = Object.entries(services).map(([name, calls]) => [
    name,
    { ...(own as Readonly<Record<string, object>>)[name], ...calls },
  ])
  return { services: { ...own, ...Object.fromEntries(replaced) } as Services, contracts }
}
