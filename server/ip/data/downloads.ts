/** A file that `data update` fetches: where from, what it becomes in the folder, and how much it may be. */
export type Download = {
  /** In the folder. */
  name: string;
  /** For a month such as `2026-11`. */
  url(month: string): string;
  isGzip: boolean;
  /** Of the file as it is kept. Our choice: several times what it is today. */
  mostBytes: number;
  /** Whether last month's is taken where this month's is not out yet. */
  isMonthly: boolean;
};

const DB_IP = 'https://download.db-ip.com/free';
const X4BNET = 'https://raw.githubusercontent.com/X4BNet/lists_vpn/main/output';

/** DB-IP Lite (CC BY 4.0), X4BNet lists_vpn (MIT), and the exits that the Tor Project publishes. */
export const DOWNLOADS: readonly Download[] = [
  ...(['city', 'asn'] as const).map((kind) => ({
    name: `dbip-${kind}-lite.mmdb`,
    url: (month: string) => `${DB_IP}/dbip-${kind}-lite-${month}.mmdb.gz`,
    isGzip: true,
    mostBytes: 1_000_000_000,
    isMonthly: true,
  })),
  {
    name: 'hosting.txt',
    url: () => `${X4BNET}/datacenter/ipv4.txt`,
    isGzip: false,
    mostBytes: 20_000_000,
    isMonthly: false,
  },
  {
    name: 'vpn.txt',
    url: () => `${X4BNET}/vpn/ipv4.txt`,
    isGzip: false,
    mostBytes: 20_000_000,
    isMonthly: false,
  },
  {
    name: 'tor.txt',
    url: () => 'https://check.torproject.org/torbulkexitlist',
    isGzip: false,
    mostBytes: 5_000_000,
    isMonthly: false,
  },
];

/** The URL of a download, or of the file of the same name on a mirror. */
export function urlOf(download: Download, month: string, mirror: string | null): string {
  const url = download.url(month);
  if (mirror === null) return url;
  const name = download.isMonthly ? url.slice(url.lastIndexOf('/') + 1) : download.name;
  return new URL(name, mirror.endsWith('/') ? mirror : `${mirror}/`).href;
}

/** The month of a moment in UTC and the one before, as `2026-11`. */
export function lastTwoMonths(ms: number): [string, string] {
  const now = new Date(ms);
  const before = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1));
  return [now.toISOString().slice(0, 7), before.toISOString().slice(0, 7)];
}
