import { type LoaderFunction, replace } from 'react-router'
import { paths } from '#shared/kernel/paths.ts'
import { type Capability, effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { findOrg, requireViewer } from './viewer.ts'

/** A page for roles with a capability. Others are sent to `/unauthorized`. */
export const allowed =
  (capability: Capability, loader?: LoaderFunction): LoaderFunction =>
  async (args, context) => {
    const org = findOrg(await requireViewer(args), args.params.org)
    // The frame refuses other organizations.
    if (org && !roleCan(effectiveRole(org.role), capability)) throw replace(paths.unauthorized(capability))
    return loader ? loader(args, context) : null
  }
