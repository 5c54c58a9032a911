#!/bin/sh
# Deletes a stack, with what is in the buckets that are deleted with it.
#   destroy.sh STACK REGION
# S3 deletes no bucket that holds anything. CloudFormation names the buckets that stopped it: what is
# kept is never among them, and nothing writes any more to those that are, for the functions
# are gone before. A stack that is not there is none to delete.
set -eu
stack=${1:?name the stack} region=${2:?name the Region of the stack}
aws() { command aws --region "$region" "$@"; }

# Names change hands, ids do not.
if ! id=$(aws cloudformation describe-stacks --stack-name "$stack" --query 'Stacks[0].StackId' --output text 2>&1); then
    case $id in
    *"does not exist"*) exit 0 ;;
    esac
    echo "$id" >&2
    exit 1
fi
delete() {
    aws cloudformation delete-stack --stack-name "$id"
    aws cloudformation wait stack-delete-complete --stack-name "$id"
}
aws cloudformation update-termination-protection --stack-name "$id" --no-enable-termination-protection --output text >/dev/null
if delete; then exit 0; fi

full=$(aws cloudformation list-stack-resources --stack-name "$id" --output text \
    --query "StackResourceSummaries[?ResourceType=='AWS::S3::Bucket' && ResourceStatus=='DELETE_FAILED'].PhysicalResourceId")
if [ -z "$full" ] || [ "$full" = None ]; then
    echo "$stack: CloudFormation could not delete it, and no bucket is the reason:" >&2
    aws cloudformation list-stack-resources --stack-name "$id" --output text >&2 \
        --query "StackResourceSummaries[?ResourceStatus=='DELETE_FAILED'].[LogicalResourceId,ResourceStatusReason]"
    exit 1
fi
for bucket in $full; do
    echo "$stack: empties $bucket"
    # Versions and markers of deletions are objects, too.
    while
        page=$(aws s3api list-object-versions --bucket "$bucket" --no-paginate --output json \
            --query '{Objects: [Versions, DeleteMarkers][].{Key: Key, VersionId: VersionId}, Quiet: `true`}')
        case $page in *'"Key"'*) ;; *) false ;; esac
    do
        refused=$(printf %s "$page" | aws s3api delete-objects --bucket "$bucket" --delete file:///dev/stdin --query 'Errors[].[Key,Code,Message]' --output text)
        case $refused in
        "" | None) ;;
        *) echo "$bucket: $refused" >&2 && exit 1 ;;
        esac
    done
done
delete
