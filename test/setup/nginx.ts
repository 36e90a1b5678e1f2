import { installDebianPackages, which } from './debian.ts';

const debianPackages = ['nginx-light', 'openssl'];

export interface ProxyBinaries {
  nginx: string;
  openssl: string;
}

/** The programs for a proxy in front of the service, installed first where that can be done; else what is missing, in words. */
export function findOrInstallProxy(): ProxyBinaries | string {
  const found = findProxy();
  if (found) return found;
  const refusal = installDebianPackages(debianPackages, 'nginx and OpenSSL are');
  if (refusal) return refusal;
  return findProxy() ?? `apt-get could not install ${debianPackages.join(' and ')}`;
}

function findProxy(): ProxyBinaries | undefined {
  const [nginx, openssl] = [which('nginx'), which('openssl')];
  return nginx && openssl ? { nginx, openssl } : undefined;
}
