module tokenlaunch.example/service/infra

go 1.26.0

require tokenlaunch.example/service v0.0.0

require (
	github.com/Masterminds/semver/v3 v3.4.0 // indirect
	github.com/aws/aws-cdk-go/awscdk/v2 v2.220.0 // indirect
	github.com/aws/constructs-go/constructs/v10 v10.4.2 // indirect
	github.com/aws/jsii-runtime-go v1.115.0 // indirect
	github.com/cdklabs/awscdk-asset-awscli-go/awscliv1/v2 v2.2.242 // indirect
	github.com/cdklabs/awscdk-asset-node-proxy-agent-go/nodeproxyagentv6/v2 v2.1.0 // indirect
	github.com/cdklabs/cloud-assembly-schema-go/awscdkcloudassemblyschema/v48 v48.6.0 // indirect
	github.com/fatih/color v1.18.0 // indirect
	github.com/ipfs/boxo v0.39.0 // indirect
	github.com/mattn/go-colorable v0.1.13 // indirect
	github.com/mattn/go-isatty v0.0.20 // indirect
	golang.org/x/lint v0.0.0-20210508222113-6edffad5e616 // indirect
	golang.org/x/mod v0.35.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/telemetry v0.0.0-20260409153401-be6f6cb8b1fa // indirect
	golang.org/x/tools v0.44.0 // indirect
)

replace tokenlaunch.example/service => ../
