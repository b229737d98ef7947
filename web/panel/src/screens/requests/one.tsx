import { useQuery } from '@tanstack/react-query';
import { usePathPart } from '../../address.ts';
import { read } from '../../api/client.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/text.ts';
import { Body } from '../../ui/body.tsx';
import { Facts, Id } from '../../ui/facts.tsx';
import { TextLink } from '../../ui/link.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Note } from '../../ui/status.tsx';
import { HttpStatus } from './http-status.tsx';
import { requestText } from './words.ts';

export default function OneRequest() {
  const t = useText(requestText);
  const format = useFormat();
  const found = useQuery(read('GET /panel/api/requests/{id}', { params: { id: usePathPart('requestId') } }));
  return (
    <Loaded query={found}>
      {({ request }) => (
        <Page
          title={`${request.method} ${request.path}`}
          mark={<HttpStatus status={request.status} />}
          about={
            <TextLink to="/developers/requests" size="sm">
              {t('allRequests')}
            </TextLink>
          }
        >
          {request.ignoredFields ? (
            <Note tone="wait">{t('ignoredNote', { fields: request.ignoredFields })}</Note>
          ) : null}
          <Section title={t('request')}>
            <Facts
              facts={[
                { label: t('time'), value: format.exact(request.at) },
                { label: t('took'), value: t('milliseconds', { value: format.number(request.milliseconds) }) },
                { label: t('endpoint'), value: request.endpoint },
                { label: t('requestId'), value: <Id text={request.requestId} /> },
              ]}
            />
          </Section>
          <Section title={t('sent')}>
            <Body text={request.body} />
          </Section>
          <Section title={t('answer')}>
            <Body text={request.response} />
          </Section>
        </Page>
      )}
    </Loaded>
  );
}
