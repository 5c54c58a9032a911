// Which findings are accepted, and whether every acceptance is still needed.

/** A logical id, or a text with some, without the hashes that CDK appends. */
export const named = (text) => text.replace(/([A-Za-z0-9])[0-9A-F]{8}(?![0-9A-Za-z])/g, '$1');

const matches = (entry, finding) =>
  entry.rule === finding.rule &&
  (!entry.deployments || entry.deployments.includes(finding.deployment)) &&
  entry.resources.includes(finding.resource);

/**
 * Splits findings, each a {deployment, rule, resource, text}, by the table of what is
 * accepted. It gives what nobody has accepted, and what was accepted and is not found:
 * a rule that is kept by now, or a resource that is gone.
 */
export function judge(findings, accepted) {
  const open = findings.filter((f) => !accepted.some((entry) => matches(entry, f)));
  const stale = [];
  for (const entry of accepted) {
    for (const resource of entry.resources) {
      const one = { ...entry, resources: [resource] };
      if (!findings.some((f) => matches(one, f))) stale.push({ rule: entry.rule, resource });
    }
    for (const deployment of entry.deployments ?? []) {
      if (!findings.some((f) => f.deployment === deployment && matches(entry, f))) {
        stale.push({ rule: entry.rule, resource: `anything on ${deployment}` });
      }
    }
  }
  return { open, stale };
}

/** What is wrong with the table itself. */
export function faults(accepted) {
  const seen = new Set();
  const wrong = [];
  for (const { rule, resources, reason } of accepted) {
    if (!rule || !Array.isArray(resources) || resources.length === 0) wrong.push(`${rule}: names no resource`);
    else if (!reason || reason.length < 30) wrong.push(`${rule}: gives no reason`);
    for (const resource of resources ?? []) {
      if (seen.has(`${rule} ${resource}`)) wrong.push(`${rule}: has ${resource} twice`);
      seen.add(`${rule} ${resource}`);
    }
  }
  return wrong;
}
