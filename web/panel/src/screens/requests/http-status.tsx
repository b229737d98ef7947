import { Status } from '../../ui/status.tsx';

export function HttpStatus({ status }: { readonly status: number }) {
  const tone = status < 400 ? 'good' : status < 500 ? 'wait' : 'bad';
  return <Status tone={tone}>{status}</Status>;
}
