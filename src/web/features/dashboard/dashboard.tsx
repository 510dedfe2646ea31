/** What changed, at a glance. */
export function Dashboard() {
  return <h1 className="text-xl">Dashboard</h1>;
}
